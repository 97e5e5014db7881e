import Glibc
import Synchronization

/// What a program did.
public struct ProgramOutcome: Sendable {
  /// Its exit status, or 128 and the signal that ended it.
  public var status: Int32
  /// What it wrote to standard output.
  public var output: String
  /// What it wrote to standard error.
  public var errors: String
}

/// Runs a program, found in `PATH`, with nothing on standard input, and waits for it.
///
/// `environment` is added to the environment of this process.
public func run(
  _ arguments: [String], environment: [String: String] = [:]
) throws -> ProgramOutcome {
  let directory = try TemporaryDirectory()
  let process = try start(arguments, environment: environment, in: directory)
  return ProgramOutcome(
    status: awaitEnd(of: process), output: directory.read("out") ?? "",
    errors: directory.read("err") ?? "")
}

/// Starts a program that writes to the files `out` and `err` of a directory.
private func start(
  _ arguments: [String], environment: [String: String], in directory: TemporaryDirectory
) throws -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  for (descriptor, name) in [(Int32(1), "out"), (2, "err")] {
    posix_spawn_file_actions_addopen(
      &actions, descriptor, directory.path(name), O_WRONLY | O_CREAT | O_APPEND, 0o600)
  }
  let variables = currentEnvironment().merging(environment) { $1 }
  let argv = arguments.map { strdup($0) } + [nil]
  let envp = variables.map { strdup("\($0)=\($1)") } + [nil]
  defer { for pointer in argv + envp { free(pointer) } }
  var process: pid_t = 0
  errno = posix_spawnp(&process, arguments[0], &actions, nil, argv, envp)
  guard errno == 0 else { throw SystemFault("cannot run \(arguments[0])") }
  return process
}

private func awaitEnd(of process: pid_t) -> Int32 {
  var status: Int32 = 0
  while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { break } }
  let signal = status & 0x7F
  return signal == 0 ? status >> 8 & 0xFF : 128 + signal
}

private func currentEnvironment() -> [String: String] {
  var variables: [String: String] = [:]
  var next = environ
  while let entry = next.pointee {
    let parts = String(cString: entry).split(separator: "=", maxSplits: 1)
    if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
    next += 1
  }
  return variables
}

/// The path of a program that was built beside the tests.
public func builtProgram(_ name: String) -> String {
  var path = [CChar](repeating: 0, count: Int(PATH_MAX))
  let length = max(0, readlink("/proc/self/exe", &path, path.count - 1))
  let own = String(decoding: path[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
  return "/" + own.split(separator: "/").dropLast().joined(separator: "/") + "/" + name
}

/// A program that runs beside the test until the last reference to it goes.
public final class RunningProgram: Sendable {
  /// Its process.
  public let process: Int32
  private let directory: TemporaryDirectory
  private let hasEnded = Mutex(false)

  /// Starts a program, found in `PATH`.
  public init(_ arguments: [String], environment: [String: String] = [:]) throws {
    directory = try TemporaryDirectory()
    process = try start(arguments, environment: environment, in: directory)
  }

  deinit {
    guard !hasEnded.withLock({ $0 }) else { return }
    kill(process, SIGKILL)
    _ = awaitEnd(of: process)
  }

  /// Ends it by a signal, and gives its exit status, or 128 and the signal that ended it.
  public func end(with signal: Int32) -> Int32 {
    kill(process, signal)
    hasEnded.withLock { $0 = true }
    return awaitEnd(of: process)
  }

  /// What it has written to standard output.
  public var output: String { directory.read("out") ?? "" }

  /// What it has written to standard error.
  public var errors: String { directory.read("err") ?? "" }

  /// Whether it has not ended; one that has stays to be waited for (waitid(2), `WNOWAIT`).
  private var isRunning: Bool {
    var ended = siginfo_t()
    let flags = WEXITED | WNOHANG | WNOWAIT
    return waitid(P_PID, id_t(process), &ended, flags) == 0 && ended.si_signo == 0
  }

  /// Looks every 5 ms whether `condition` holds, for 20 s at most, while the program lives.
  public func wait(until condition: () -> Bool) throws {
    for _ in 0..<4000 {
      if condition() { return }
      guard isRunning else { throw SystemFault("the program ended: \(errors)") }
      usleep(5000)
    }
    throw SystemFault("waited in vain: \(errors)")
  }
}
