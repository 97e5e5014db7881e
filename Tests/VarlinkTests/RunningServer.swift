import Glibc
import TestSupport
import Varlink

/// A server that runs on a thread of its own until the last reference to it goes.
struct RunningServer {
  private let directory: TemporaryDirectory
  private let thread: PollingThread
  let path: String

  /// Starts a server of what `make` gives, which is called on the server's thread.
  init(limits: Server.Limits = .init(), of make: @escaping @Sendable () -> any Served) throws {
    directory = try TemporaryDirectory()
    let path = directory.path("s")
    self.path = path
    thread = try PollingThread {
      let served = make()
      let server = try Server(of: served.service, at: path, limits: limits)
      return (server.descriptor, { withExtendedLifetime(served) { server.process() } })
    }
  }
}

/// Something that has a service.
protocol Served {
  var service: Service { get }
}

extension Sample: Served {}

/// A client that sends whatever it is told to.
struct RawClient: ~Copyable {
  let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard connected == 0 else { throw SystemFault("connect") }
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
  }

  deinit { close(descriptor) }

  /// Sends text, in which `|` stands for NUL, and tells whether all was taken.
  @discardableResult
  func send(_ text: String) -> Bool {
    let bytes = text.utf8.map { $0 == UInt8(ascii: "|") ? 0 : $0 }
    return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  func endOutput() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// What comes until the connection ends, at most `limit` bytes; says so where it does not end.
  func receive(limit: Int = 1 << 20) -> String {
    var received: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while received.count < limit {
      let count = recv(descriptor, &chunk, min(chunk.count, limit - received.count), 0)
      if count < 0, errno == EAGAIN { received += Array("(waited in vain)".utf8) }
      guard count > 0 else { break }
      received += chunk[..<count].map { $0 == 0 ? UInt8(ascii: "|") : $0 }
    }
    return String(decoding: received, as: UTF8.self)
  }
}
