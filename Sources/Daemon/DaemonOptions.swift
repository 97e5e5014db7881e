public import Generations
import Glibc
import SettledInputs
import SettledSystemd
import Targets

/// What the daemon is told on its command line.
public struct DaemonOptions: Sendable, Hashable {
  /// The manifest's path.
  public var manifest: String
  /// The control socket's path.
  public var socket: String
  /// Where generations and the journal are kept.
  public var stateDirectory: String
  /// The directory that goes before every destination; nil for none.
  public var root: String?
  /// Apply one generation and end.
  public var isOnce: Bool
  /// Refuse to start on the last good generation.
  public var isStrict: Bool

  /// What is logged, whatever the manifest says; nil where that decides.
  public var logLevel: LogLevel?

  /// Creates options, with the defaults of the user and the environment for what is nil.
  ///
  /// Root, and a service of systemd's, use `/run/settled` and `/var/lib/settled`; another user the
  /// directories of the XDG Base Directory Specification. Relative paths are made absolute.
  public init(
    manifest: String? = nil, socket: String? = nil, stateDirectory: String? = nil,
    root: String? = nil, isOnce: Bool = false, isStrict: Bool = false,
    logLevel: LogLevel? = nil
  ) {
    self.manifest = FilePaths.absolute(manifest ?? "/etc/settled/settled.yaml")
    self.socket = FilePaths.absolute(socket ?? Self.defaultSocket)
    self.stateDirectory = FilePaths.absolute(stateDirectory ?? Self.defaultStateDirectory)
    self.root = root.map(FilePaths.absolute)
    self.logLevel = logLevel
    self.isOnce = isOnce
    self.isStrict = isStrict
  }

  private static var defaultSocket: String {
    if geteuid() == 0 { return "/run/settled/io.settled" }
    let runtime = environment("RUNTIME_DIRECTORY").map { $0 + "/io.settled" }
    let user = environment("XDG_RUNTIME_DIR") ?? "/run/user/\(geteuid())"
    return runtime ?? user + "/settled/io.settled"
  }

  private static var defaultStateDirectory: String {
    if let directory = environment("STATE_DIRECTORY") { return directory }
    if geteuid() == 0 { return "/var/lib/settled" }
    let home = environment("HOME") ?? "/"
    return (environment("XDG_STATE_HOME") ?? home + "/.local/state") + "/settled"
  }

  private static func environment(_ name: String) -> String? {
    guard let text = getenv(name).map({ String(cString: $0) }), !text.isEmpty else { return nil }
    return text
  }
}

extension LogLevel {
  /// The priority in the journal.
  var priority: JournalEntry.Priority {
    switch self {
    case .error: .error
    case .warning: .warning
    case .info: .info
    case .debug: .debug
    }
  }
}
