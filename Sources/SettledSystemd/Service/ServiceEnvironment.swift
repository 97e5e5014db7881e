public import Glibc

/// What systemd hands a service in its environment; see systemd.exec(5), sd_listen_fds(3) and
/// sd_watchdog_enabled(3).
///
/// Read once at the start of a process. Values that are meant for another process (`WATCHDOG_PID`,
/// `LISTEN_PID`) or make no sense are as if they were not there.
public struct ServiceEnvironment: Sendable, Hashable {
  /// Where messages to systemd go: the address for ``Notifier/init(address:)``.
  public let notifyAddress: String?
  /// How long systemd waits for a sign of life, nil where it does not.
  ///
  /// Send one every half of it.
  public let watchdogInterval: Duration?
  /// The sockets that were opened for the service.
  public let listenSockets: [ListenSocket]
  /// Where the service's credentials lie, one file each.
  public let credentialsDirectory: String?
  /// The first directory of `StateDirectory=`.
  public let stateDirectory: String?
  /// The first directory of `RuntimeDirectory=`.
  public let runtimeDirectory: String?
  /// The device and inode of the stream that leads to the journal.
  public let journalStream: StreamIdentity?

  /// A socket that systemd opened.
  public struct ListenSocket: Sendable, Hashable {
    /// Its `FileDescriptorName=`, "unknown" where there is none.
    public let name: String
    /// The descriptor, which children inherit until it is set close-on-exec.
    public let descriptor: Int32
  }

  /// Reads the environment of this process.
  public init() {
    self.init(process: getpid()) { name in getenv(name).map { String(cString: $0) } }
  }

  /// Reads an environment that `value` looks up, as process `process`.
  public init(process: pid_t, value: (String) -> String?) {
    func present(_ name: String) -> String? {
      value(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    func isOurs(_ name: String) -> Bool {
      value(name) == String(process)
    }
    notifyAddress = present("NOTIFY_SOCKET")
    credentialsDirectory = present("CREDENTIALS_DIRECTORY")
    stateDirectory = present("STATE_DIRECTORY").map(Self.first(of:))
    runtimeDirectory = present("RUNTIME_DIRECTORY").map(Self.first(of:))
    journalStream = value("JOURNAL_STREAM").flatMap(StreamIdentity.init)
    let forUs = value("WATCHDOG_PID") == nil || isOurs("WATCHDOG_PID")
    watchdogInterval = forUs ? value("WATCHDOG_USEC").flatMap(Self.interval) : nil
    listenSockets =
      isOurs("LISTEN_PID")
      ? Self.sockets(count: value("LISTEN_FDS"), names: value("LISTEN_FDNAMES")) : []
  }

  /// Variables that speak to the service alone: a child that inherits them could answer for it.
  public static let privateNames = [
    "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_PIDFDID",
    "LISTEN_FDNAMES",
  ]

  /// The `NAME=value` strings of `variables` that a child may have.
  public static func forChild(_ variables: [String]) -> [String] {
    variables.filter { variable in
      !privateNames.contains { variable.utf8.starts(with: "\($0)=".utf8) }
    }
  }

  /// The most sockets that are taken, as a guard against a nonsensical count.
  public static let socketLimit = 1024

  private static func interval(_ text: String) -> Duration? {
    guard let microseconds = Int64(text), microseconds > 0 else { return nil }
    return .microseconds(microseconds)
  }

  private static func sockets(count: String?, names: String?) -> [ListenSocket] {
    guard let count = count.flatMap({ Int32($0) }), count > 0, count <= socketLimit else {
      return []
    }
    let names = names.map { $0.split(separator: ":", omittingEmptySubsequences: false) } ?? []
    return (0..<count).map { index in
      let name = Int(index) < names.count ? String(names[Int(index)]) : "unknown"
      return ListenSocket(name: name, descriptor: 3 + index)
    }
  }

  private static func first(of list: String) -> String {
    String(list.prefix { $0 != ":" })
  }
}

/// The device and inode of an open file.
public struct StreamIdentity: Sendable, Hashable {
  /// The device.
  public let device: UInt64
  /// The inode on it.
  public let inode: UInt64

  /// Reads `device:inode`, as in `JOURNAL_STREAM`.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let device = UInt64(parts[0]), let inode = UInt64(parts[1]) else {
      return nil
    }
    self.device = device
    self.inode = inode
  }

  /// Asks what `descriptor` leads to; nil if it is not open.
  public init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}
