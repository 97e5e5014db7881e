import Glibc

/// A time by which something must have happened, or never.
struct Deadline {
  private let end: ContinuousClock.Instant?

  init(_ timeout: Duration?) {
    end = timeout.map { ContinuousClock.now + $0 }
  }

  var isOver: Bool { end.map { ContinuousClock.now >= $0 } ?? false }

  /// Waits until a descriptor is ready for `events`, poll(2), while somebody reads what is written to
  /// `audience`.
  func wait(
    for descriptor: Int32, _ events: Int16, while audience: Int32? = nil
  ) throws(Client.Fault) {
    // One below 0 is passed over.
    var waited = [
      pollfd(fd: descriptor, events: events, revents: 0),
      pollfd(fd: audience ?? -1, events: 0, revents: 0),
    ]
    while true {
      let ready = poll(&waited, nfds_t(waited.count), milliseconds)
      if waited[0].revents != 0 { return }
      guard waited[1].revents == 0 else { throw .unheard }
      if isOver { throw .timedOut }
      guard ready == 0 || errno == EINTR else { throw .disconnected }
    }
  }

  /// The time that is left, rounded up so that the wait is not a loop.
  private var milliseconds: Int32 {
    guard let end else { return -1 }
    let left = max(.zero, end - ContinuousClock.now)
    return Int32(clamping: Int64(left / .milliseconds(1)) + 1)
  }
}
