import Glibc
import TestSupport
import Testing

/// A daemon with two targets, and ways to break what it stands on.
final class FaultShop {
  let folder: TemporaryDirectory
  private(set) var daemon: RunningProgram?
  /// What the daemon that was stopped last had said.
  private(set) var lastLog = ""

  /// Whether a program can be run with limits of its own for inotify(7).
  static let canLimitWatching =
    (try? run(limited("instances", to: 9) + ["true"]))?.status == 0

  /// The arguments that run a program in a user namespace where the kernel allows so many inotify
  /// `instances` or `watches`.
  static func limited(_ what: String, to limit: Int) -> [String] {
    [
      "unshare", "-U", "-r", "sh", "-c",
      "echo \(limit) > /proc/sys/user/max_inotify_\(what); exec \"$@\"", "sh",
    ]
  }

  static let canMount = canMount("tmpfs", "size=1m")
  static let canOverlay = canMount("overlay", "lowerdir=/etc:/usr")

  private static func canMount(_ kind: String, _ options: String) -> Bool {
    let line = "mount -t \(kind) -o \(options) none /mnt"
    return geteuid() == 0 && (try? run(["unshare", "-m", "sh", "-c", line]))?.status == 0
  }

  init() throws {
    folder = try TemporaryDirectory()
    mkdir(folder.path("out"), 0o755)
    try write(text: "a", port: 1)
    try folder.write("mine\n", to: "out/bystander")
    try writeManifest()
  }

  /// Writes the manifest; a target does more where that is said, as keys after a comma.
  func writeManifest(more: String = "", daemon: String = "{}") throws {
    try folder.write(
      """
      layers: [shop.yaml, shop.d/*.yaml]
      daemon: \(daemon)
      targets:
        text: {file: out/text, content: "{{ text }}\\n"\(more)}
        port: {file: out/port, content: "{{ port }}\\n"}
      """, to: "settled.yaml")
  }

  func path(_ name: String) -> String { folder.path(name) }

  /// Edits the settings, in one step.
  func write(text: String, port: Int) throws {
    try folder.write("text: \"\(text)\"\nport: \(port)\n", to: "shop.new")
    rename(folder.path("shop.new"), folder.path("shop.yaml"))
  }

  /// The arguments that start the daemon.
  func command(state: String = "state") -> [String] {
    [
      builtProgram("settled"), "--manifest", path("settled.yaml"), "--socket", path("socket"),
      "--state-directory", path(state), "--log-level", "debug",
    ]
  }

  /// Starts the daemon, with `place` as a file system of its own where options for it are given, or in
  /// a mount namespace that a line of the shell prepares.
  func start(
    mounting options: String? = nil, as kind: String = "tmpfs", on place: String = "out",
    preparing mounts: String? = nil, through program: [String] = []
  ) throws {
    var arguments = program + command()
    let mount = options.map { "mount -t \(kind) -o \($0) none '\(path(place))'" }
    if let mounts = mount ?? mounts {
      let line = mounts + " && exec \"$@\""
      arguments = ["unshare", "-m", "--propagation", "private", "sh", "-c", line, "sh"] + arguments
    }
    let daemon = try RunningProgram(arguments)
    self.daemon = daemon
    // On inputs that were applied before, nothing changes, and nothing but that is logged.
    try daemon.wait { ["is in force", "nothing changed"].contains(where: daemon.errors.contains) }
  }

  /// Runs a command of the shell in the mount namespace of the daemon.
  @discardableResult
  func inside(_ line: String) throws -> ProgramOutcome {
    let process = try #require(daemon).process
    return try run(
      ["nsenter", "-t", "\(process)", "-m", "sh", "-c", "cd '\(folder.path)'; \(line)"])
  }

  /// Ends the daemon, and gives its exit status.
  @discardableResult
  func stop(with signal: Int32 = SIGTERM) -> Int32 {
    guard let daemon else { return -1 }
    let status = daemon.end(with: signal)
    lastLog = daemon.errors
    self.daemon = nil
    return status
  }

  /// Applies once.
  func once() throws -> ProgramOutcome { try run(command() + ["--once"]) }

  func settlectl(_ arguments: [String]) throws -> ProgramOutcome {
    try run(["timeout", "20", builtProgram("settlectl"), "--socket", path("socket")] + arguments)
  }

  var log: String { daemon?.errors ?? "" }

  func out(_ name: String) -> String? { folder.read("out/" + name) }
}

/// Whether files are there.
enum FileStatus {
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

/// A client that calls and does not read.
final class DeafClient {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: path.utf8.prefix($0.count - 1))
    }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw SystemFault("connect") }
  }

  deinit { close(descriptor) }

  /// Calls a method again and again until nothing more is taken; gives the number of calls.
  func callUntilFull(_ method: String) -> Int {
    let call = Array("{\"method\":\"\(method)\"}".utf8) + [0]
    var count = 0
    var waits = 0
    while waits < 20 {
      let sent = send(
        descriptor, call, call.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      if sent == call.count {
        (count, waits) = (count + 1, 0)
      } else if sent < 0, errno == EAGAIN {
        waits += 1
        usleep(5000)
      } else {
        break
      }
    }
    return count
  }
}
