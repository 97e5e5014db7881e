import Glibc
public import SettledInputs

/// A program to run, with its arguments and surroundings.
///
/// Nothing goes through a shell, and nothing of the daemon's own environment is handed on but what
/// `environment` names.
public struct Command: Sendable, Hashable {
  /// The program, looked up in the daemon's `PATH` where it has no slash, and its arguments.
  public var arguments: [String]
  /// The environment, by name.
  public var environment: [String: String]
  /// The directory that it runs in, and that a relative path of the program is relative to; nil for
  /// the daemon's own.
  public var directory: String?
  /// How long it may run.
  public var timeout: Duration
  /// Whether it is told a secret, or what it is about holds one: what it writes is not shown.
  public var isSecret = false

  /// How much of a command's output is kept: the last bytes of it.
  public static let outputLimit = 64 * 1024
  /// How long a command that is asked to end may take before it is killed.
  public static let grace = Duration.seconds(2)
  /// The time limit of a command that names none.
  public static let defaultTimeout = Duration.seconds(30)
  /// The search path of commands: the one systemd gives to services (systemd.exec(5)).
  public static let searchPath =
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

  /// Creates a command.
  public init(
    _ arguments: [String], environment: [String: String] = [:],
    timeout: Duration = Command.defaultTimeout
  ) {
    self.arguments = arguments
    self.environment = environment
    self.timeout = timeout
  }
}

/// How a command ended.
public struct CommandResult: Sendable, Hashable {
  /// The way it ended.
  public enum End: Sendable, Hashable {
    /// It ended by itself, with this status.
    case exited(CInt)
    /// A signal ended it.
    case signaled(CInt)
    /// It ran longer than its time limit, and was killed with all that it started.
    case timedOut(Duration)
    /// It could not be started.
    case notStarted(SystemError)
  }

  /// How it ended.
  public var end: End
  /// The last of what it wrote to standard output and standard error.
  public var output: [UInt8]

  /// Whether it ended by itself with status 0.
  public var isSuccess: Bool { end == .exited(0) }

  /// Why it is no success, in a few words.
  public var reason: String {
    switch end {
    case .exited(159): "exit status 159 (a system call that the sandbox of the unit forbids)"
    case .exited(let status): "exit status \(status)"
    case .signaled(SIGKILL): "killed by signal 9 (by a user, or by a memory limit)"
    case .signaled(let number): "killed by signal \(number)"
    case .timedOut(let limit): "still running after \(limit), killed"
    case .notStarted(let error): error.description
    }
  }
}

extension Command {
  /// What a command is told in its environment: the instance it is run for, and the path of its file.
  public static func environment(target: String, file: String?) -> [String: String] {
    var environment = ["SETTLED_TARGET": target]
    environment[fileVariable] = file
    return environment
  }

  /// The path of the file that it is run for, where it is told one.
  public var file: String? { environment[Self.fileVariable] }

  private static let fileVariable = "SETTLED_FILE"

  /// Runs the command to its end or its time limit, and blocks until then.
  public func run() -> CommandResult {
    CommandRunner.run(self)
  }
}
