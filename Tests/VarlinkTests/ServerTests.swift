import Glibc
import SettledValues
import TestSupport
import Testing
import Varlink

@Suite struct `a server` {
  let echo = #"{"method":"test.sample.Echo","parameters":{"text":"a"}}|"#
  let answer = #"{"parameters":{"text":"a"}}|"#

  @Test func `answers a client`() throws {
    let server = try RunningServer { Sample() }
    let client = try Client(server.path, timeout: .seconds(30))
    #expect(try client.call("test.sample.Echo", ["text": "hé"]) == ["text": "hé"])
    let fault = #expect(throws: Client.Fault.self) { try client.call("test.sample.Nothing") }
    #expect(fault == .failed(.methodNotFound("test.sample.Nothing")))
    var numbers: [Value] = []
    try client.callMore("test.sample.Count", ["to": 1000]) { reply in
      numbers.append(reply["number"] ?? nil)
      return true
    }
    #expect(numbers == (1...1000).map { .int($0) })
    try client.notify("test.sample.Echo", ["text": "unheard"])
    #expect(try client.call("test.sample.Echo", ["text": "heard"]) == ["text": "heard"])
    #expect(throws: Client.Fault.invalid("'parameters.a': nan has no JSON")) {
      try client.call("test.sample.Echo", ["a": .double(.nan)])
    }
  }

  @Test func `answers calls that were kept, and the calls behind them`() throws {
    let server = try RunningServer { Releasing() }
    let waiting = try Client(server.path, timeout: .seconds(30))
    try waiting.send("test.releasing.Wait")
    try waiting.send("test.releasing.Waiting")
    try waiting.flush()
    let other = try Client(server.path, timeout: .seconds(30))
    while try other.call("test.releasing.Waiting")["number"] == 0 {}
    #expect(try other.call("test.releasing.Release")["number"] == 1)
    #expect(try waiting.receive().parameters["number"] == 7)
    #expect(try waiting.receive().parameters["number"] == 0)
  }

  @Test func `forgets a call whose client is gone`() throws {
    let server = try RunningServer { Releasing() }
    let other = try Client(server.path, timeout: .seconds(30))
    do {
      let waiting = try Client(server.path)
      try waiting.send("test.releasing.Wait")
      try waiting.flush()
      while try other.call("test.releasing.Waiting")["number"] == 0 {}
    }
    while try other.call("test.releasing.Waiting")["number"] == 1 {}
    #expect(try other.call("test.releasing.Release")["number"] == 0)
  }

  @Test func `knows who calls`() throws {
    let server = try RunningServer { Releasing() }
    let client = try Client(server.path, timeout: .seconds(30))
    var groups = [gid_t](repeating: 0, count: 1024)
    let count = getgroups(1024, &groups)
    let peer = try client.call("test.releasing.Who")
    #expect(peer["user"] == .int(Int64(getuid())))
    #expect(peer["group"] == .int(Int64(getgid())))
    #expect(peer["process"] == .int(Int64(getpid())))
    #expect(peer["groups"] == .list(groups.prefix(Int(count)).map { .int(Int64($0)) }))
  }

  @Test func `answers a client that only ended its side`() throws {
    let server = try RunningServer { Sample() }
    let client = try RawClient(server.path)
    client.send(echo + echo)
    client.endOutput()
    #expect(client.receive() == answer + answer)
  }

  @Test(arguments: ["nonsense|", "{}|", String(repeating: "x", count: 100_000)])
  func `closes on what is no call, to the harm of no other`(message: String) throws {
    let server = try RunningServer { Sample() }
    let good = try Client(server.path, timeout: .seconds(30))
    let bad = try RawClient(server.path)
    bad.send(echo + message)
    let received = bad.receive()
    #expect(received == answer || received == "")
    #expect(try good.call("test.sample.Echo", ["text": "b"]) == ["text": "b"])
  }

  @Test func `closes on a client that does not read its stream`() throws {
    let server = try RunningServer(limits: .init(conversation: .init(backlog: 100_000))) {
      Sample()
    }
    let slow = try RawClient(server.path)
    slow.send(#"{"method":"test.sample.Count","parameters":{"to":300000},"more":true}|"#)
    let received = slow.receive(limit: 1 << 30)
    #expect(!received.contains("300000"))
    let good = try Client(server.path, timeout: .seconds(30))
    #expect(try good.call("test.sample.Echo", ["text": "b"]) == ["text": "b"])
  }

  @Test func `keeps the number of connections`() throws {
    let limits = Server.Limits(connections: getuid() == 0 ? 2 : 9, connectionsPerUser: 2)
    let server = try RunningServer(limits: limits) { Sample() }
    let first = try Client(server.path)
    let second = try Client(server.path)
    #expect(try second.call("test.sample.Echo", ["text": "b"]) == ["text": "b"])
    let third = try RawClient(server.path)
    #expect(third.receive() == "")
    #expect(try first.call("test.sample.Echo", ["text": "c"]) == ["text": "c"])
  }

  @Test func `serves hundreds of clients`() throws {
    let server = try RunningServer { Sample() }
    var clients: [Client] = []
    for _ in 0..<400 { clients.append(try Client(server.path)) }
    for client in clients {
      try client.send("test.sample.Echo", ["text": "a"])
      try client.flush()
    }
    for client in clients { #expect(try client.receive().parameters == ["text": "a"]) }
  }

  @Test func `a client does not wait for ever`() throws {
    let server = try RunningServer { Sample() }
    let client = try Client(server.path, timeout: .milliseconds(20))
    #expect(throws: Client.Fault.timedOut) { try client.call("test.sample.Keep") }
  }
}

/// A service that answers calls when another call says so.
final class Releasing: Served {
  let service = Service(vendor: "", product: "", version: "", url: "")
  private var waiting: [Call] = []

  init() {
    let number = [Field("number", .int)]
    let interface = Interface(
      "test.releasing",
      methods: [
        .init("Wait", output: number), .init("Waiting", output: number),
        .init("Release", output: number), .init("Who"),
      ])
    service.add(
      interface,
      handlers: [
        "Wait": { [unowned self] call in
          waiting.append(call)
          call.whenClosed { [unowned self] in waiting.removeAll { !$0.isOpen } }
        },
        "Waiting": { [unowned self] in $0.reply(["number": .int(Int64(waiting.count))]) },
        "Release": { [unowned self] call in
          for kept in waiting { kept.reply(["number": 7]) }
          call.reply(["number": .int(Int64(waiting.count))])
          waiting = []
        },
        "Who": { call in
          call.reply([
            "user": .int(Int64(call.peer.user)), "group": .int(Int64(call.peer.group)),
            "process": .int(Int64(call.peer.process)),
            "groups": .list(call.peer.groups.map { .int(Int64($0)) }),
          ])
        },
      ])
  }
}
