/// Something to do once files are in place.
public enum Action: Sendable, Hashable {
  /// Have a unit read its files again: `ReloadOrTryRestartUnit`, which leaves a stopped one stopped.
  case reload(unit: String)
  /// Restart a unit that runs: `TryRestartUnit`.
  case restart(unit: String)
  /// Send a signal to the main process of a unit.
  case signal(unit: String, number: Int32)
  /// Run a command.
  case run(Command)

  /// Whether it is a command that is told a secret, or is about one.
  public var isSecret: Bool {
    if case .run(let command) = self { command.isSecret } else { false }
  }

  /// The action in a few words, without the arguments of a command: they may hold a secret.
  public var text: String {
    switch self {
    case .reload(let unit): "reload \(unit)"
    case .restart(let unit): "restart \(unit)"
    case .signal(let unit, let number): "send signal \(number) to \(unit)"
    case .run(let command): "run '\(command.arguments.first ?? "")'"
    }
  }
}

/// An action of a plan, done once however many targets ask for it.
public struct ActionStep: Sendable, Hashable {
  /// What is done.
  public var action: Action
  /// The targets that ask for it.
  public var targets: [String]
  /// Whether its failure refuses the generation.
  public var isRequired: Bool
  /// How long it may take.
  public var timeout: Duration
  /// Why it is done.
  public var reasons: [Reason]

  /// Creates an action that one target asks for.
  public init(
    _ action: Action, target: String, isRequired: Bool, timeout: Duration, reasons: [Reason] = []
  ) {
    self.action = action
    targets = [target]
    self.isRequired = isRequired
    self.timeout = timeout
    self.reasons = reasons
  }

  /// Takes in another step with the same action, or one that this one does as well.
  fileprivate mutating func absorb(_ step: ActionStep) {
    targets += step.targets
    isRequired = isRequired || step.isRequired
    timeout = Swift.max(timeout, step.timeout)
    reasons += step.reasons.filter { !reasons.contains($0) }
  }
}

extension [ActionStep] {
  /// The actions each once, in the order they are first asked for; a unit that is restarted is not
  /// reloaded.
  public func folded() -> [ActionStep] {
    var folded: [ActionStep] = []
    for step in self {
      if let known = folded.firstIndex(where: { $0.action == step.action }) {
        folded[known].absorb(step)
      } else {
        folded.append(step)
      }
    }
    for (position, step) in folded.enumerated() {
      guard case .reload(let unit) = step.action,
        let restart = folded.firstIndex(where: { $0.action == .restart(unit: unit) })
      else { continue }
      folded[restart].absorb(step)
      folded[position].targets = []
    }
    return folded.filter { !$0.targets.isEmpty }
  }
}
