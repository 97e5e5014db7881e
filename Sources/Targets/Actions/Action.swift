import Glibc

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
    case .signal(let unit, let number): "send \(Self.name(ofSignal: number)) to \(unit)"
    case .run(let command): "run '\(command.arguments.first ?? "")'"
    }
  }
}

extension Action {
  /// The signals there are to send, by name (signal(7)).
  public static let signals: [String: Int32] = [
    "SIGHUP": SIGHUP, "SIGUSR1": SIGUSR1, "SIGUSR2": SIGUSR2, "SIGINT": SIGINT,
    "SIGTERM": SIGTERM, "SIGWINCH": SIGWINCH, "SIGQUIT": SIGQUIT, "SIGCONT": SIGCONT,
  ]

  private static func name(ofSignal number: Int32) -> String {
    signals.first { $0.value == number }?.key ?? "signal \(number)"
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
}

extension [ActionStep] {
  /// The actions each once, in the order they are first asked for; a unit that is restarted is not
  /// reloaded.
  ///
  /// Commands with the same arguments are one action. Where several targets ask for it, it is told
  /// neither a target nor a file.
  public func folded() -> [ActionStep] {
    var folded: [Folded] = []
    var positions: [Action: Int] = [:]
    for step in self {
      let key = step.action.withoutSurroundings
      if let known = positions[key] {
        folded[known].absorb(step)
      } else {
        positions[key] = folded.count
        folded.append(Folded(step))
      }
    }
    for (position, step) in folded.map(\.step).enumerated() {
      guard case .reload(let unit) = step.action, let restart = positions[.restart(unit: unit)]
      else { continue }
      folded[restart].absorb(step)
      folded[position].step.targets = []
    }
    return folded.map(\.step).filter { !$0.targets.isEmpty }
  }
}

/// A step that stands for several ones, and what it has of them: there may be thousands.
private struct Folded {
  var step: ActionStep
  private var targets: Set<String>
  private var reasons: Set<Reason>

  init(_ step: ActionStep) {
    self.step = step
    targets = Set(step.targets)
    reasons = Set(step.reasons)
  }

  /// Takes in another step with the same action, or one that this one does as well.
  mutating func absorb(_ other: ActionStep) {
    step.targets += other.targets.filter { targets.insert($0).inserted }
    step.reasons += other.reasons.filter { reasons.insert($0).inserted }
    step.isRequired = step.isRequired || other.isRequired
    step.timeout = max(step.timeout, other.timeout)
    guard case .run(var command) = step.action else { return }
    if step.targets.count > 1 { command.environment = [:] }
    command.timeout = step.timeout
    command.isSecret = command.isSecret || other.action.isSecret
    step.action = .run(command)
  }
}

extension Action {
  /// What is done, whoever asks for it.
  fileprivate var withoutSurroundings: Action {
    if case .run(let command) = self { .run(Command(command.arguments)) } else { self }
  }
}
