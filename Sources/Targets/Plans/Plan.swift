/// What an apply does: files to stage and check, then to swap, then what to verify and to do.
public struct Plan: Sendable {
  /// A command that must succeed before its files may stay.
  public struct Test: Sendable, Hashable {
    /// The target that asks for it.
    public var target: String
    /// The command.
    public var command: Command

    /// Creates a test of a target.
    public init(target: String, _ command: Command) {
      self.target = target
      self.command = command
    }
  }

  /// The files, in the order of the targets.
  public var files: [FileStep]
  /// Run on staged files, before any is swapped.
  public var checks: [Test]
  /// Run after the swap, before any action.
  public var verifications: [Test]
  /// Done last, in order.
  public var actions: [ActionStep]

  /// Creates a plan.
  public init(
    files: [FileStep] = [], checks: [Test] = [], verifications: [Test] = [],
    actions: [ActionStep] = []
  ) {
    self.files = files
    self.checks = checks
    self.verifications = verifications
    self.actions = actions
  }

  /// Takes out all that is done for a target alone, and its part in what is done for several.
  public mutating func leaveOut(_ target: String) {
    files.removeAll { $0.desired.target == target }
    checks.removeAll { $0.target == target }
    verifications.removeAll { $0.target == target }
    for index in actions.indices { actions[index].targets.removeAll { $0 == target } }
    actions.removeAll { $0.targets.isEmpty }
  }

  /// Runs all commands in a directory.
  public mutating func runCommands(in directory: String) {
    for index in checks.indices { checks[index].command.directory = directory }
    for index in verifications.indices { verifications[index].command.directory = directory }
    for index in actions.indices {
      guard case .run(var command) = actions[index].action else { continue }
      command.directory = directory
      actions[index].action = .run(command)
    }
  }

  /// Whether there is nothing to do.
  public var isEmpty: Bool { files.isEmpty && actions.isEmpty }
}
