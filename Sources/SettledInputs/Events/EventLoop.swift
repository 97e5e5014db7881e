import CLinux
import Glibc

/// The daemon's one loop: it waits until a descriptor is ready or a deadline comes, and says so.
///
/// It belongs to one thread; what other threads have to say comes through a `Mailbox`. With nothing
/// ready and no timer it sleeps in epoll_wait(2) without end.
public final class EventLoop {
  /// What a descriptor is ready for.
  public struct Readiness: OptionSet, Sendable {
    /// The bits, as epoll_ctl(2) has them.
    public let rawValue: UInt32

    /// Creates a set from its bits.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// There is something to read, or the end.
    public static let readable = Readiness(EPOLLIN)
    /// There is room to write.
    public static let writable = Readiness(EPOLLOUT)
    /// Something out of the ordinary happened, such as a change of the mounts (proc(5)).
    public static let exceptional = Readiness(EPOLLPRI)
    /// The other side has stopped writing.
    public static let endOfInput = Readiness(EPOLLRDHUP)
    /// The other side is gone, or the descriptor failed; told without being asked for.
    public static let closed = Readiness(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)

    private init(_ event: EPOLL_EVENTS) {
      rawValue = event.rawValue
    }
  }

  /// Names a descriptor that is waited for.
  public struct Registration: Sendable, Hashable {
    let number: UInt64
  }

  private struct Source {
    var descriptor: CInt
    var handler: (Readiness) -> Void
  }

  private static let eventsPerTurn = 64

  private let clock: () -> Moment
  private let epoll: CInt
  private var sources: [UInt64: Source] = [:]
  private var registered: UInt64 = 0
  private var timers = TimerQueue()
  private var isStopped = false

  /// Creates a loop that reads the time from `clock`.
  public init(clock: @escaping () -> Moment = { Moment.now }) throws(SystemError) {
    epoll = epoll_create1(CInt(EPOLL_CLOEXEC))
    guard epoll >= 0 else { throw SystemError("create", "epoll") }
    self.clock = clock
  }

  deinit { close(epoll) }

  /// The present instant, by the loop's clock.
  public var now: Moment { clock() }

  /// The earliest deadline, or nil where there is none.
  public var nextDeadline: Moment? { timers.nextDeadline }

  /// Calls `handler` whenever `descriptor` is ready, until the registration is removed.
  ///
  /// Readiness is by level: a handler that leaves something unread is called again. The loop does
  /// not close the descriptor; whoever owns it removes the registration first.
  public func add(
    _ descriptor: CInt, for readiness: Readiness = .readable,
    _ handler: @escaping (Readiness) -> Void
  ) throws(SystemError) -> Registration {
    registered += 1
    try control(EPOLL_CTL_ADD, descriptor, readiness, registered)
    sources[registered] = Source(descriptor: descriptor, handler: handler)
    return Registration(number: registered)
  }

  /// Changes what a descriptor is waited for.
  public func change(
    _ registration: Registration, to readiness: Readiness
  ) throws(SystemError) {
    guard let source = sources[registration.number] else { return }
    try control(EPOLL_CTL_MOD, source.descriptor, readiness, registration.number)
  }

  /// Waits for a descriptor no more; its handler is not called again, not even in this turn.
  public func remove(_ registration: Registration) {
    guard let source = sources.removeValue(forKey: registration.number) else { return }
    epoll_ctl(epoll, EPOLL_CTL_DEL, source.descriptor, nil)
  }

  /// Calls `action` once, at `deadline` or as soon as the loop can after it.
  @discardableResult
  public func schedule(at deadline: Moment, _ action: @escaping () -> Void) -> TimerID {
    timers.add(deadline, action)
  }

  /// Calls `action` once, after `delay`.
  @discardableResult
  public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> TimerID {
    timers.add(now + delay, action)
  }

  /// Forgets a timer; one that is done is no matter.
  public func cancel(_ timer: TimerID) {
    timers.remove(timer)
  }

  /// Takes turns until `stop` is called.
  public func run() throws(SystemError) {
    isStopped = false
    while !isStopped { try turn() }
  }

  /// Makes `run` return after the present turn.
  public func stop() {
    isStopped = true
  }

  /// Waits for the next thing to do, at most `limit`, and does all that is due.
  ///
  /// Without a limit the wait lasts until something happens.
  public func turn(atMost limit: Duration? = nil) throws(SystemError) {
    var events = [epoll_event](repeating: epoll_event(), count: Self.eventsPerTurn)
    let count = epoll_wait(epoll, &events, CInt(events.count), timeout(atMost: limit))
    guard count >= 0 || errno == EINTR else { throw SystemError("wait for", "epoll") }
    for event in events.prefix(Int(max(count, 0))) {
      sources[event.data.u64]?.handler(Readiness(rawValue: event.events))
    }
    let (now, last) = (self.now, timers.count)
    while let action = timers.takeDue(at: now, addedUpTo: last) { action() }
  }

  /// The milliseconds that epoll_wait(2) may wait, rounded up; -1 is for ever.
  private func timeout(atMost limit: Duration?) -> CInt {
    let wait = nextDeadline.map { $0 - now }
    guard let shortest = [wait, limit].compactMap({ $0 }).min() else { return -1 }
    let milliseconds = (max(shortest, .zero).wholeNanoseconds - 1) / 1_000_000 + 1
    return shortest <= .zero ? 0 : CInt(clamping: milliseconds)
  }

  private func control(
    _ operation: CInt, _ descriptor: CInt, _ readiness: Readiness, _ number: UInt64
  ) throws(SystemError) {
    var event = epoll_event(events: readiness.rawValue, data: epoll_data_t(u64: number))
    guard epoll_ctl(epoll, operation, descriptor, &event) == 0 else {
      throw SystemError("wait for", "descriptor \(descriptor)")
    }
  }
}
