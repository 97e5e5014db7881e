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
    action.action { command in
      guard command.arguments.allSatisfy(\.roots.isEmpty) else { return nil }
      let lookup = InstanceLookup(self, rule, key: nil)
      let arguments = command.arguments.compactMap { try? $0.render(lookup) }
      return Command(arguments, timeout: rule.timeout)
    }
  }
}

extension ActionRule {
  /// The action, with its command as `command` makes it; nil where that makes none.
  func action(_ command: (CommandRule) -> Command?) -> Action? {
    switch self {
    case .reload(let unit): .reload(unit: unit)
    case .restart(let unit): .restart(unit: unit)
    case .signal(let unit, let number): .signal(unit: unit, number: number)
    case .run(let rule): command(rule).map { .run($0) }
    }
  }
}
