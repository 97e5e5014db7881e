import CLinux
import Glibc

/// What is awaited on descriptors, epoll(7).
struct Poller: ~Copyable {
  /// What happened to a descriptor.
  struct Event {
    /// What the descriptor was added as.
    let token: UInt64
    /// Bytes, a connection or the end of the input can be read.
    let isReadable: Bool
    /// The other end is gone.
    let isGone: Bool
  }

  let descriptor: Int32
  private var events = [epoll_event](repeating: epoll_event(), count: 64)

  init() throws(SocketFault) {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { throw SocketFault("cannot create an epoll", code: errno) }
  }

  deinit { close(descriptor) }

  /// Awaits something on a descriptor that was not awaited before.
  func add(_ target: Int32, as token: UInt64, input: Bool) throws(SocketFault) {
    guard control(EPOLL_CTL_ADD, target, token, input: input, output: false) == 0 else {
      throw SocketFault("cannot await a socket", code: errno)
    }
  }

  /// Changes what is awaited on a descriptor; that its other end goes always is.
  func change(_ target: Int32, as token: UInt64, input: Bool, output: Bool) {
    _ = control(EPOLL_CTL_MOD, target, token, input: input, output: output)
  }

  /// What has happened, without waiting.
  mutating func poll() -> [Event] {
    let count = epoll_wait(descriptor, &events, Int32(events.count), 0)
    return events.prefix(Int(max(0, count))).map { event in
      let gone = EPOLLHUP.rawValue | EPOLLERR.rawValue
      return Event(
        token: event.data.u64, isReadable: event.events & (EPOLLIN.rawValue | gone) != 0,
        isGone: event.events & gone != 0)
    }
  }

  private func control(
    _ operation: Int32, _ target: Int32, _ token: UInt64, input: Bool, output: Bool
  ) -> Int32 {
    var event = epoll_event()
    event.events = (input ? EPOLLIN.rawValue : 0) | (output ? EPOLLOUT.rawValue : 0)
    event.data.u64 = token
    return epoll_ctl(descriptor, operation, target, &event)
  }
}
