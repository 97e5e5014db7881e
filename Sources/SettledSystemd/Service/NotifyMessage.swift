internal import Glibc

/// What a service tells systemd about itself in one datagram; see sd_notify(3).
///
/// Fields that belong together travel together: systemd takes a reload only if `RELOADING=1` and
/// `MONOTONIC_USEC=` arrive in the same datagram.
public struct NotifyMessage: Sendable, Hashable {
  /// The datagram: `NAME=value` lines.
  public let text: String

  private init(_ fields: [(name: String, value: String)]) {
    self.init(text: fields.map { "\($0.name)=\($0.value)" }.joined(separator: "\n"))
  }

  /// The service has started, or a reload has ended.
  ///
  /// Sent after every reload, a refused one too: systemd waits for it. `errno` says how it went,
  /// 0 takes an earlier number back.
  public static func ready(status: String? = nil, errno: Int32? = nil) -> Self {
    Self([("READY", "1")] + fields(errno: errno, status: status))
  }

  /// A reload begins at `now` on CLOCK_MONOTONIC; ``ready(status:errno:)`` has to follow.
  public static func reloading(
    at now: MonotonicTime = .now, status: String? = nil
  ) -> Self {
    let microseconds = String(now.microseconds)
    return Self(
      [("RELOADING", "1"), ("MONOTONIC_USEC", microseconds)] + fields(errno: nil, status: status))
  }

  /// One line for a person, shown by `systemctl status`.
  public static func status(_ line: String) -> Self {
    Self([("STATUS", oneLine(line))])
  }

  /// The service gives up: the line and the number stay visible after its exit.
  public static func failed(errno: Int32, status: String) -> Self {
    Self(fields(errno: errno, status: status))
  }

  /// The service stops.
  ///
  /// Sent once: since systemd 259 it cannot be taken back.
  public static func stopping(status: String? = nil) -> Self {
    Self([("STOPPING", "1")] + fields(errno: nil, status: status))
  }

  /// The service is alive; sent within every ``ServiceEnvironment/watchdogInterval``.
  public static var watchdog: Self { Self([("WATCHDOG", "1")]) }

  /// The service found itself stuck: systemd acts as if the watchdog had run out.
  public static var watchdogTrigger: Self { Self([("WATCHDOG", "trigger")]) }

  /// Asks for `time` from now on, where a start, reload or stop would run out of time before.
  public static func extendTimeout(by time: Duration) -> Self {
    Self([("EXTEND_TIMEOUT_USEC", String(time.microseconds))])
  }

  /// Both messages in one datagram.
  public func and(_ other: Self) -> Self {
    Self(text: text + "\n" + other.text)
  }

  private init(text: String) {
    self.text = text
  }

  private static func fields(errno: Int32?, status: String?) -> [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    if let errno { fields.append(("ERRNO", String(errno))) }
    if let status { fields.append(("STATUS", oneLine(status))) }
    return fields
  }

  /// The most bytes of a status line; PID 1 reads 4,096 bytes of a datagram.
  public static let statusLimit = 2048

  /// A status is one line: control characters become spaces, and it ends at a code point.
  private static func oneLine(_ line: String) -> String {
    var scalars = String.UnicodeScalarView()
    var size = 0
    for scalar in line.unicodeScalars {
      size += UTF8.width(scalar)
      if size > statusLimit { break }
      scalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    return String(scalars)
  }
}

/// A reading of CLOCK_MONOTONIC, the clock that systemd compares a reload's start with.
public struct MonotonicTime: Sendable, Hashable {
  /// Microseconds since an arbitrary start, mostly that of the machine.
  public let microseconds: UInt64

  /// Creates a reading, for tests.
  public init(microseconds: UInt64) {
    self.microseconds = microseconds
  }

  /// The clock now.
  public static var now: Self {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Self(microseconds: UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec / 1000))
  }
}

extension Duration {
  /// The whole microseconds of it, from 0 to as many as fit.
  var microseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, isTooLong) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000)
    return isTooLong ? .max : whole &+ UInt64(attoseconds / 1_000_000_000_000)
  }
}
