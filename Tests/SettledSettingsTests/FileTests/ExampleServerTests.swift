import Glibc
import TestSupport
import Testing

struct ExampleServerTests {
  private static let program = builtProgram("example-server")
  private static let source = "Examples/Server/Server.swift"

  @Test func `the README shows the server that is built`() throws {
    let root = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()
    let source = try #require(readFile("\(root)/\(Self.source)"))
    let readme = try #require(readFile("\(root)/README.md"))
    let text = String(decoding: source, as: UTF8.self)
    #expect(String(decoding: readme, as: UTF8.self).contains("```swift\n\(text)```"))
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 61)
  }

  @Test func `the server follows its files and SIGHUP, and tells systemd`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("port: 1\n", to: "shop.yaml")
    let systemd = try NotifySocket(at: folder.path("notify"))
    let server = try RunningProgram(
      [Self.program, folder.path],
      environment: ["NOTIFY_SOCKET": folder.path("notify"), "JOURNAL_STREAM": ""])
    try server.wait { server.errors.contains("serving shop on port 1, for 5.0 seconds") }
    #expect(systemd.next() == "READY=1\nSTATUS=serving")

    try folder.write("{port: 2, name: tea}\n", to: "shop.yaml")
    try server.wait { server.errors.contains("serving tea on port 2") }
    #expect(systemd.next() == "READY=1\nSTATUS=settings changed: name, port")

    try folder.write("port: 0\n", to: "shop.yaml")
    kill(server.process, SIGHUP)
    #expect(systemd.next() == "RELOADING=1")
    #expect(
      systemd.next() == """
        READY=1
        STATUS=settings refused, keeping the last: shop.yaml:1:7: error: 'port' must be at least 1, not 0
        """)
    #expect(server.errors.contains("  port: 0\n        ^"))
  }

  @Test func `the server does not start on what is wrong`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("prot: 1\n", to: "shop.yaml")
    let outcome = try run([Self.program, folder.path])
    #expect(outcome.status == 78)
    #expect(outcome.errors.contains("shop.yaml:1:1: error: the settings have no key 'prot'"))
    #expect(outcome.errors.contains("did you mean 'port'?"))
  }
}

/// The socket that a service tells systemd through.
private final class NotifySocket {
  private let descriptor: CInt

  init(at path: String) throws {
    descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound)
  }

  deinit { close(descriptor) }

  /// Waits for the next message, 20 s at most.
  func next() -> String {
    var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&source, 1, 20_000) > 0 else { return "nothing" }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
      .split(separator: "\n").filter { !$0.hasPrefix("MONOTONIC_USEC") }.joined(separator: "\n")
  }
}
