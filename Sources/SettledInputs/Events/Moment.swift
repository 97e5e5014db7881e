import Glibc

/// An instant of the monotonic clock.
///
/// The clock is `CLOCK_MONOTONIC` (clock_gettime(2)), which stands still while the machine is
/// suspended: epoll_wait(2) waits by it, systemd's watchdog counts by it, and after a resume no
/// deadline is due that nothing had the time to meet.
public struct Moment: Sendable, Hashable, Comparable {
  /// Nanoseconds since the clock's start.
  public var nanoseconds: Int64

  /// Creates the instant `nanoseconds` after the clock's start.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The present instant.
  public static var now: Moment {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Tells whether one instant is before another.
  public static func < (left: Moment, right: Moment) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The instant `duration` later, or the last there is.
  public static func + (moment: Moment, duration: Duration) -> Moment {
    let sum = moment.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    return Moment(nanoseconds: sum.overflow ? .max : sum.partialValue)
  }

  /// The time from `right` to `left`, negative where `left` is before it.
  public static func - (left: Moment, right: Moment) -> Duration {
    .nanoseconds(left.nanoseconds.subtractingReportingOverflow(right.nanoseconds).partialValue)
  }
}

extension Duration {
  /// The duration in nanoseconds, or the most there can be of them.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let scaled = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let sum = scaled.partialValue.addingReportingOverflow(attoseconds / 1_000_000_000)
    if scaled.overflow || sum.overflow { return seconds < 0 ? .min : .max }
    return sum.partialValue
  }
}
