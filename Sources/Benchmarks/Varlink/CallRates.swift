import Dispatch
import Glibc
import SettledValues
import Varlink

/// Prints calls a second over one connection: our server, and PyPI's where it is there, both asked
/// by our client.
func printCallRates() throws {
  let path = "/tmp/settled-bench-\(getpid()).socket"
  defer { unlink(path) }
  let started = DispatchSemaphore(value: 0)
  DispatchQueue(label: "server").async { servePings(at: path) { started.signal() } }
  started.wait()
  print("calls a second over one connection, client and server on this machine")
  try printRates("settled", at: path, calls: 200_000)
  let peer = PythonPeer(at: path + ".python")
  if let peer { try printRates("PyPI varlink", at: peer.path, calls: 10_000) }
}

/// The calls that are under way at once when pipelined.
private let depth = 200

private func printRates(_ name: String, at path: String, calls: Int) throws {
  let client = try Client(path)
  let waiting = try rate(calls / 10) { _ in
    _ = try client.call("test.bench.Ping", ["ping": "hi"])
  }
  for _ in 0..<depth { try client.send("test.bench.Ping", ["ping": "hi"]) }
  let pipelined = try rate(calls) { _ in
    _ = try client.receive()
    try client.send("test.bench.Ping", ["ping": "hi"])
  }
  for _ in 0..<depth { _ = try client.receive() }
  print("  \(name): \(waiting) one at a time, \(pipelined) pipelined")
}

private func rate(_ count: Int, _ call: (Int) throws -> Void) rethrows -> Int {
  let duration = try ContinuousClock().measure { for number in 0..<count { try call(number) } }
  return Int(Double(count) / (duration / .seconds(1)))
}

private func servePings(at path: String, started: () -> Void) {
  let service = Service(vendor: "", product: "", version: "", url: "")
  let text = [Field("ping", .string)]
  service.add(
    Interface("test.bench", methods: [.init("Ping", input: text, output: text)]),
    handlers: ["Ping": { $0.reply(["ping": $0.parameters["ping"] ?? .null]) }])
  guard let server = try? Server(of: service, at: path) else { return started() }
  started()
  var awaited = pollfd(fd: server.descriptor, events: Int16(POLLIN), revents: 0)
  while true {
    poll(&awaited, 1, -1)
    server.process()
  }
}
