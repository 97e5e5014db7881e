internal import Glibc
internal import Synchronization

/// Sends a service's messages to systemd, or to whoever else is told.
///
/// Outside of systemd it sends nothing: a service carries on. The address is read once, so that
/// the environment can be cleared before children are started; a child must not inherit it
/// (``ServiceEnvironment/privateNames``).
public struct Notifier: Sendable {
  private let deliver: @Sendable (NotifyMessage) -> Void

  /// Creates a notifier that hands every message to `deliver`, such as a test's record.
  public init(deliver: @escaping @Sendable (NotifyMessage) -> Void) {
    self.deliver = deliver
  }

  /// Creates a notifier that sends datagrams to `address`, a value of `NOTIFY_SOCKET`.
  ///
  /// A path, or `@` and a name in the abstract namespace. Nil, and what is not an address,
  /// make one that sends nothing.
  public init(address: String?) {
    self.init(address: address, patience: .seconds(10))
  }

  /// Creates a notifier whose receiver may take so long.
  package init(address: String?, patience: Duration) {
    guard let address, let destination = SocketAddress(address) else {
      self.init { _ in }
      return
    }
    let delivery = Delivery(to: destination, patience)
    self.init { message in delivery.send(message.text) }
  }

  /// Sends `message`.
  ///
  /// A message that cannot be delivered is dropped, as there is nobody left to tell; systemd
  /// itself then acts on its absence. One that is not taken is dropped after 10 s, and further ones
  /// at once, until one is taken again: who does not read must not hold the service up.
  public func send(_ message: NotifyMessage) {
    deliver(message)
  }
}

/// Delivers messages to one address.
private final class Delivery: Sendable {
  private let destination: SocketAddress
  /// How long the receiver may take, such as systemd while it reads all units again.
  private let patience: Duration
  private let isHeldUp = Mutex(false)

  init(to destination: SocketAddress, _ patience: Duration) {
    self.destination = destination
    self.patience = patience
  }

  func send(_ text: String) {
    isHeldUp.withLock { isHeldUp in
      isHeldUp = !destination.send(text, within: isHeldUp ? .zero : patience)
    }
  }
}

/// The address of an AF_UNIX datagram socket.
private struct SocketAddress: Sendable {
  private let path: [UInt8]

  /// Nil for what sd_notify(3) does not take: an empty, relative or too long address.
  init?(_ address: String) {
    var bytes = Array(address.utf8)
    guard bytes.count > 1, bytes.count < Self.capacity else { return nil }
    switch bytes[0] {
    case UInt8(ascii: "/"): bytes.append(0)
    case UInt8(ascii: "@"): bytes[0] = 0
    default: return nil
    }
    path = bytes
  }

  private static let noSignal = Int32(MSG_NOSIGNAL)
  private static let capacity = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

  /// Sends a datagram; false where the receiver has no room for it within that time.
  func send(_ text: String, within time: Duration) -> Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    let (seconds, attoseconds) = time.components
    var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout.size(ofValue: limit)))
    let flags = Self.noSignal | (time == .zero ? Int32(MSG_DONTWAIT) : 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let length = socklen_t(MemoryLayout.size(ofValue: address) - Self.capacity + path.count)
    let bytes = Array(text.utf8)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        var sent: Int
        repeat {
          sent = sendto(descriptor, bytes, bytes.count, flags, pointer, length)
        } while sent < 0 && errno == EINTR
        return sent >= 0 || errno != EAGAIN
      }
    }
  }
}
