import Glibc
import Testing

/// A real AF_UNIX datagram socket that plays the part of systemd's.
final class DatagramInbox {
  /// A value for `NOTIFY_SOCKET`.
  let address: String
  private let descriptor: Int32
  private let path: String?

  /// Listens on a path below the temporary directory, or in the abstract namespace.
  init(abstract: Bool = false) throws {
    let name = "/tmp/settled-inbox-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    address = abstract ? "@" + name : name
    path = abstract ? nil : name
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var bytes = Array(name.utf8)
    if abstract { bytes.insert(0, at: 0) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(2 + bytes.count + (abstract ? 0 : 1))
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    try #require(bound == 0)
  }

  deinit {
    close(descriptor)
    if let path { unlink(path) }
  }

  /// The next datagram, or nil if none has arrived.
  func next() -> String? {
    var buffer = [UInt8](repeating: 0, count: 8192)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
  }
}
