import SettledObserving
import SettledValues
import Targets
import Templates

@ObservingActor
extension Program {
  /// What is to be done when a file of a target goes, for each target by name: its actions, without
  /// the commands that read something, which may be gone with it.
  var actionsOfFiles: [String: [DueAction]] {
    var actions: [String: [DueAction]] = [:]
    for rule in manifest.targets where rule.file != nil && !rule.actions.isEmpty {
      actions[rule.name] = rule.actions.compactMap { action in
        constant(action, rule).map {
          DueAction($0, isRequired: rule.isRequired, timeout: rule.timeout)
        }
      }
    }
    return actions
  }

  private func constant(_ action: ActionRule, _ rule: TargetRule) -> Action? {
    switch action {
    case .reload(let unit): return .reload(unit: unit)
    case .restart(let unit): return .restart(unit: unit)
    case .signal(let unit, let number): return .signal(unit: unit, number: number)
    case .run(let command):
      guard command.arguments.allSatisfy(\.roots.isEmpty) else { return nil }
      let lookup = InstanceLookup(self, rule, key: nil)
      let arguments = command.arguments.compactMap { try? $0.render(lookup) }
      return .run(Command(arguments, timeout: rule.timeout))
    }
  }
}
