/// Names a timer of a loop.
public struct TimerID: Sendable, Hashable {
  let number: UInt64
}

/// What is to be done, and when, the earliest first.
struct TimerQueue {
  private struct Timer {
    var id: TimerID
    var deadline: Moment
    var action: () -> Void
  }

  /// The timers, the earliest last; those of one deadline in reverse order of their adding.
  private var timers: [Timer] = []
  private var added: UInt64 = 0

  /// The earliest deadline.
  var nextDeadline: Moment? { timers.last?.deadline }

  /// Adds what is to be done at `deadline`.
  mutating func add(_ deadline: Moment, _ action: @escaping () -> Void) -> TimerID {
    added += 1
    let timer = Timer(id: TimerID(number: added), deadline: deadline, action: action)
    var (low, high) = (0, timers.count)
    while low < high {
      let middle = (low + high) / 2
      if timers[middle].deadline > deadline { low = middle + 1 } else { high = middle }
    }
    timers.insert(timer, at: low)
    return timer.id
  }

  /// Forgets a timer; one that is unknown or done is no matter.
  mutating func remove(_ id: TimerID) {
    timers.removeAll { $0.id == id }
  }

  /// Takes the earliest action that is due at `now`; a timer added after `last` is left alone.
  mutating func takeDue(at now: Moment, addedUpTo last: UInt64) -> (() -> Void)? {
    let position = timers.lastIndex { $0.id.number <= last }
    guard let position, timers[position].deadline <= now else { return nil }
    return timers.remove(at: position).action
  }

  /// The number of timers added so far.
  var count: UInt64 { added }
}
