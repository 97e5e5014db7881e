internal import CSystemd
internal import Glibc

/// What went wrong with the bus rather than with a unit.
enum BusFault: Error {
  /// There is no connection, or not any more.
  case lost(errno: Int32)
  /// The deadline passed.
  case outOfTime
  /// The one who waits gave up.
  case abandoned
  /// The other side answered with an error.
  case refused(name: String, message: String)
}

/// A connection to the system bus; for one thread at a time.
///
/// Every wait ends at a deadline and asks `progress` at least every ``slice`` whether to go on, so
/// that a hung bus holds nobody up.
final class Bus {
  typealias Instant = ContinuousClock.Instant

  /// The longest time between two calls of `progress`.
  static let slice = Duration.milliseconds(500)

  private let handle: OpaquePointer
  private let progress: () -> Bool

  /// Connects to `address`, or to the system bus.
  init(address: String?, progress: @escaping () -> Bool) throws(BusFault) {
    var handle: OpaquePointer?
    var status: Int32
    if let address {
      status = sd_bus_new(&handle)
      if status >= 0 { status = sd_bus_set_address(handle, address) }
      if status >= 0 { status = sd_bus_set_bus_client(handle, 1) }
      if status >= 0 { status = sd_bus_start(handle) }
    } else {
      status = sd_bus_open_system(&handle)
    }
    guard status >= 0, let handle else {
      sd_bus_unref(handle)
      throw .lost(errno: -status)
    }
    self.handle = handle
    self.progress = progress
  }

  deinit { sd_bus_close_unref(handle) }

  /// An object's method.
  struct Method {
    var destination = "org.freedesktop.systemd1"
    var path = "/org/freedesktop/systemd1"
    var interface: String
    var member: String
  }

  /// Calls a method and waits for its answer.
  ///
  /// Messages that arrive meanwhile go to `other`.
  func call(
    _ method: Method, _ arguments: [BusMessage.Argument] = [], before deadline: Instant,
    other: (BusMessage) -> Void
  ) throws(BusFault) -> BusMessage {
    var raw: OpaquePointer?
    var status = sd_bus_message_new_method_call(
      handle, &raw, method.destination, method.path, method.interface, method.member)
    guard status >= 0, let raw else { throw .lost(errno: -status) }
    let message = BusMessage(raw)
    for argument in arguments where status >= 0 { status = message.append(argument) }
    var cookie: UInt64 = 0
    if status >= 0 { status = sd_bus_send(handle, message.handle, &cookie) }
    guard status >= 0 else { throw .lost(errno: -status) }
    let answer = try next(before: deadline) { message in
      if message.answeredCookie == cookie { return message }
      other(message)
      return nil
    }
    if let error = answer.error { throw .refused(name: error.name, message: error.message) }
    return answer
  }

  /// Waits for the first message that `accept` takes.
  func next<Accepted>(
    before deadline: Instant, _ accept: (BusMessage) -> Accepted?
  ) throws(BusFault) -> Accepted {
    while true {
      var raw: OpaquePointer?
      let status = sd_bus_process(handle, &raw)
      if status < 0 { throw .lost(errno: -status) }
      if let raw {
        let message = BusMessage(raw)
        if message.isSignal("org.freedesktop.DBus.Local", "Disconnected") {
          throw .lost(errno: ECONNRESET)
        }
        if let accepted = accept(message) { return accepted }
      } else if status == 0 {
        try wait(before: deadline)
      }
    }
  }

  /// Waits for input, at most a slice.
  private func wait(before deadline: Instant) throws(BusFault) {
    let rest = ContinuousClock.now.duration(to: deadline)
    guard rest > .zero else { throw .outOfTime }
    guard progress() else { throw .abandoned }
    let status = sd_bus_wait(handle, max(1, min(rest, Self.slice).microseconds))
    if status < 0 && status != -EINTR { throw .lost(errno: -status) }
  }

  /// Lets `time` pass, and hands the messages that arrive meanwhile to `other`.
  func pause(
    _ time: Duration, before deadline: Instant, other: (BusMessage) -> Void
  ) throws(BusFault) {
    let end = ContinuousClock.now + time
    do throws(BusFault) {
      try next(before: min(end, deadline)) { message -> Void? in
        other(message)
        return nil
      }
    } catch {
      guard case .outOfTime = error, end < deadline else { throw error }
    }
  }
}
