import Expressions
import SettledObserving
import SettledValues
import Targets
import Templates

@ObservingActor
extension Program {
  /// What is to be done when a file of a target goes that the manifest has no more: its actions,
  /// without the commands that read something, which may be gone with it.
  ///
  /// They are kept by the name of the target, or of each instance where a command names its file.
  func actionsOfFiles(of wanted: [Wanted]) -> [String: [DueAction]] {
    var actions: [String: [DueAction]] = [:]
    var named: Set<Int> = []
    for (position, rule) in manifest.targets.enumerated() {
      guard rule.file != nil, !rule.actions.isEmpty else { continue }
      if rule.actions.contains(where: \.namesFile) {
        named.insert(position)
      } else {
        actions[rule.name] = dueActions(rule, at: nil)
      }
    }
    guard !named.isEmpty else { return actions }
    for instance in wanted where named.contains(instance.rule) {
      actions[instance.name] = dueActions(
        manifest.targets[instance.rule], at: instance.file?.path)
    }
    return actions
  }

  private func dueActions(_ rule: TargetRule, at path: String?) -> [DueAction] {
    rule.actions.compactMap { action in
      constant(action, rule, at: path).map {
        DueAction($0, isRequired: rule.isRequired, timeout: rule.timeout)
      }
    }
  }

  private func constant(_ action: ActionRule, _ rule: TargetRule, at path: String?) -> Action? {
    action.action { command in
      let isConstant = command.arguments.allSatisfy { argument in
        argument.roots.allSatisfy { path != nil && $0.name == CommandRule.file }
      }
      guard isConstant else { return nil }
      let texts = [CommandRule.file: path].compactMapValues { $0 }
      let lookup = InstanceLookup(self, rule, key: nil, texts: texts)
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

  /// Whether it is a command that names the file of its target.
  fileprivate var namesFile: Bool {
    guard case .run(let command) = self else { return false }
    return command.arguments.contains { $0.roots.contains { $0.name == CommandRule.file } }
  }
}
