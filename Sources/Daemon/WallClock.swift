import Glibc
import SettledValues

extension Timestamp {
  /// The present instant of the wall clock.
  static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }

  /// The instant `duration` later, to the second, and at the earliest this one.
  static func + (instant: Timestamp, duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = max(duration, .zero).components
    let nanoseconds = Int64(instant.nanoseconds) + attoseconds / 1_000_000_000
    return Timestamp(
      seconds: instant.seconds + seconds + (nanoseconds + 500_000_000) / 1_000_000_000)
  }
}
