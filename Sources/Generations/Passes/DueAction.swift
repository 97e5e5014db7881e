import SettledValues
import Targets

/// An action as it is kept for the time when the target that asks for it is gone.
struct DueAction: Sendable, Equatable {
  var action: Action
  var isRequired: Bool
  var timeout: Duration

  init(_ action: Action, isRequired: Bool, timeout: Duration) {
    self.action = action
    self.isRequired = isRequired
    self.timeout = timeout
  }

  /// What a step does; nil for a command that is told a secret, which is never stored.
  init?(_ step: ActionStep) {
    guard !step.action.isSecret else { return nil }
    self.init(step.action, isRequired: step.isRequired, timeout: step.timeout)
  }

  /// The step that does it for an instance, which had its file at `path`.
  func step(for instance: String, at path: String? = nil, because reason: Reason) -> ActionStep {
    var action = action
    if case .run(var command) = action {
      command.environment = Command.environment(target: instance, file: path ?? command.file)
      command.timeout = timeout
      action = .run(command)
    }
    return ActionStep(
      action, target: instance, isRequired: isRequired, timeout: timeout, reasons: [reason])
  }
}

extension DueAction {
  /// The action as JSON holds it.
  var value: Value {
    var value: ValueMap =
      switch action {
      case .reload(let unit): ["reload": .string(unit)]
      case .restart(let unit): ["restart": .string(unit)]
      case .signal(let unit, let number): ["signal": .int(Int64(number)), "unit": .string(unit)]
      case .run(let command): ["run": .list(command.arguments.map { .string($0) })]
      }
    if case .run(let command) = action, let file = command.file { value["file"] = .string(file) }
    value["required"] = .bool(isRequired)
    value["milliseconds"] = .int(Int64(timeout / .milliseconds(1)))
    return .map(value)
  }

  /// Reads an action back; nil where it is damaged.
  init?(_ value: Value) {
    guard case .map(let map) = value, let action = Self.action(map),
      case .bool(let isRequired)? = map["required"],
      case .int(let milliseconds)? = map["milliseconds"]
    else { return nil }
    self.init(action, isRequired: isRequired, timeout: .milliseconds(milliseconds))
  }

  private static func action(_ map: ValueMap) -> Action? {
    if let unit = map["reload"]?.text { return .reload(unit: unit) }
    if let unit = map["restart"]?.text { return .restart(unit: unit) }
    if case .int(let number)? = map["signal"], let unit = map["unit"]?.text {
      return Int32(exactly: number).map { .signal(unit: unit, number: $0) }
    }
    guard case .list(let arguments)? = map["run"], !arguments.isEmpty else { return nil }
    var command = Command(arguments.compactMap(\.text))
    if let file = map["file"]?.text {
      command.environment = Command.environment(target: "", file: file)
    }
    return .run(command)
  }
}
