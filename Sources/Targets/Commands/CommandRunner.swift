import CLinux
import Glibc
import SettledInputs

/// Runs a command and waits for it.
///
/// The command leads a process group of its own, so that a time limit ends all that it started. It
/// gets `/dev/null` as input, default signal handling, an empty signal mask and no other descriptor.
struct CommandRunner {
  /// The reads of one turn: what a pipe holds at most (pipe(7)), as root may make it.
  private static let readsPerTurn = 64

  private let command: Command
  private var output: [UInt8] = []

  /// Runs `command` to its end, and blocks until then.
  static func run(_ command: Command) -> CommandResult {
    var runner = CommandRunner(command: command)
    return runner.run()
  }

  private init(command: Command) {
    self.command = command
  }

  private mutating func run() -> CommandResult {
    var ends: [CInt] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else {
      return CommandResult(end: .notStarted(failure(errno)), output: [])
    }
    // Only our end: a program that writes to a pipe may not expect EAGAIN.
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    defer { close(ends[0]) }
    let child = spawn(writingTo: ends[1])
    close(ends[1])
    switch child {
    case .failure(let error): return CommandResult(end: .notStarted(error), output: [])
    case .success(let process):
      let end = wait(for: process, reading: ends[0])
      return CommandResult(end: end, output: output.suffix(Command.outputLimit))
    }
  }

  private func failure(_ code: CInt) -> SystemError {
    SystemError("run", command.arguments.first ?? "", code: code)
  }

  /// Waits until the process ends or its time is up; reads what it writes meanwhile.
  ///
  /// Signals go to its group before it is reaped only: until then its number is given to no other.
  private mutating func wait(for process: pid_t, reading pipe: CInt) -> CommandResult.End {
    let handle = pidfd_open(process, 0)
    guard handle >= 0 else {
      let error = failure(errno)
      kill(-process, SIGKILL)
      _ = reap(process)
      return .notStarted(error)
    }
    defer { close(handle) }
    if follow(handle, pipe, for: command.timeout) { return reap(process) }
    kill(-process, SIGTERM)
    let isOver = follow(handle, pipe, for: Command.grace)
    // What a command started may still run when it has ended itself.
    kill(-process, SIGKILL)
    if !isOver { _ = follow(handle, pipe, for: .seconds(60)) }
    _ = reap(process)
    return .timedOut(command.timeout)
  }

  /// Reads until the process ends; false where it does not within `limit`.
  private mutating func follow(_ handle: CInt, _ pipe: CInt, for limit: Duration) -> Bool {
    let clock = SuspendingClock()
    let deadline = clock.now + limit
    var sources = [
      pollfd(fd: handle, events: Int16(POLLIN), revents: 0),
      pollfd(fd: pipe, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      let left = clock.now.duration(to: deadline)
      guard left > .zero else { return false }
      let (seconds, attoseconds) = left.components
      let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1
      guard poll(&sources, 2, CInt(clamping: milliseconds)) >= 0 || errno == EINTR else {
        return false
      }
      if sources[1].revents != 0, !read(pipe) { sources[1].fd = -1 }
      guard sources[0].revents == 0 else {
        _ = read(pipe)
        return true
      }
    }
  }

  /// Takes what is in the pipe, and keeps the last of it; false at its end.
  ///
  /// A command that writes without end, or one that it left behind, must not keep the time limit from
  /// being looked at.
  private mutating func read(_ pipe: CInt) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    for _ in 0..<Self.readsPerTurn {
      let count = Glibc.read(pipe, &buffer, buffer.count)
      guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
      output += buffer[..<count]
      if output.count > 2 * Command.outputLimit {
        output.removeFirst(output.count - Command.outputLimit)
      }
    }
    return true
  }

  private func reap(_ process: pid_t) -> CommandResult.End {
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return .notStarted(failure(errno)) }
    }
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .signaled(signal)
  }

  private func spawn(writingTo pipe: CInt) -> Result<pid_t, SystemError> {
    guard let program = command.arguments.first, !program.isEmpty else {
      return .failure(failure(ENOENT))
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, pipe, 1)
    posix_spawn_file_actions_adddup2(&actions, pipe, 2)
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    if let directory = command.directory {
      posix_spawn_file_actions_addchdir_np(&actions, directory)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    reset(&attributes)
    let environment = ["PATH": Command.searchPath].merging(command.environment) { $1 }
    var process: pid_t = 0
    let code = withStrings(command.arguments) { arguments in
      withStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
        posix_spawnp(&process, program, &actions, &attributes, arguments, variables)
      }
    }
    return code == 0 ? .success(process) : .failure(failure(code))
  }

  private func reset(_ attributes: inout posix_spawnattr_t) {
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))
    posix_spawnattr_setpgroup(&attributes, 0)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
  }

  /// Lends `strings` as the null-terminated array of C strings that exec(3) takes.
  private func withStrings<R>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
  ) -> R {
    let pointers = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
      capacity: strings.count + 1)
    for (position, string) in strings.enumerated() {
      (pointers + position).initialize(to: strdup(string))
    }
    (pointers + strings.count).initialize(to: nil)
    defer {
      for position in strings.indices { free(pointers[position]) }
      pointers.deallocate()
    }
    return body(pointers)
  }
}
