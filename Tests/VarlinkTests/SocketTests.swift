import Glibc
import TestSupport
import Testing
import Varlink

@Suite struct `the socket of a server` {
  let directory: TemporaryDirectory
  let service = Service(vendor: "", product: "", version: "", url: "")

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : nil
  }

  @Test func `is open to everyone and removed in the end`() throws {
    let path = directory.path("s")
    do {
      let server = try Server(of: service, at: path)
      #expect(mode(path) == S_IFSOCK | 0o666)
      #expect(server.connectionCount == 0)
    }
    #expect(mode(path) == nil)
  }

  @Test func `replaces one that nobody listens on`() throws {
    let path = directory.path("s")
    let stale = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    _ = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(stale, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    close(stale)
    #expect(mode(path).map { $0 & S_IFMT } == S_IFSOCK)
    let server = try Server(of: service, at: path)
    #expect(mode(path) == S_IFSOCK | 0o666)
    #expect(server.descriptor >= 0)
  }

  @Test func `is not taken from another process`() throws {
    let path = directory.path("s")
    let server = try Server(of: service, at: path)
    let fault = #expect(throws: SocketFault.self) { try Server(of: service, at: path) }
    #expect(fault?.description == "another process listens at '\(path)'")
    #expect(mode(path) == S_IFSOCK | 0o666)
    #expect(server.connectionCount == 0)
  }

  @Test func `takes the place of nothing else`() throws {
    let path = try directory.write("precious", to: "s")
    let fault = #expect(throws: SocketFault.self) { try Server(of: service, at: path) }
    #expect(fault?.description == "'\(path)' exists and is not a socket")
    #expect(directory.read("s") == "precious")
  }

  @Test(arguments: ["", String(repeating: "x", count: 200), "a\0b"])
  func `has a path that an address can hold`(path: String) {
    let fault = #expect(throws: SocketFault.self) { try Server(of: service, at: path) }
    #expect(fault?.description == "the path of a socket must have 1 to 107 bytes")
  }

  @Test func `is named when nobody listens`() {
    let path = directory.path("none")
    let fault = #expect(throws: Client.Fault.self) { try Client(path) }
    #expect(fault?.description == "cannot connect to '\(path)': No such file or directory")
  }

  @Test func `is not removed when another took its place`() throws {
    let path = directory.path("s")
    do {
      let server = try Server(of: service, at: path)
      unlink(path)
      try directory.write("other", to: "s")
      #expect(server.connectionCount == 0)
    }
    #expect(directory.read("s") == "other")
  }
}
