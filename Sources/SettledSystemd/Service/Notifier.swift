internal import Glibc

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
    guard let address, let destination = SocketAddress(address) else {
      self.init { _ in }
      return
    }
    self.init { message in destination.send(message.text) }
  }

  /// Sends `message`.
  ///
  /// A message that cannot be delivered is dropped, as there is nobody left to tell; systemd
  /// itself then acts on its absence.
  public func send(_ message: NotifyMessage) {
    deliver(message)
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

  func send(_ text: String) {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let length = socklen_t(MemoryLayout.size(ofValue: address) - Self.capacity + path.count)
    let bytes = Array(text.utf8)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        var sent: Int
        repeat {
          sent = sendto(descriptor, bytes, bytes.count, Self.noSignal, pointer, length)
        } while sent < 0 && errno == EINTR
      }
    }
  }
}
