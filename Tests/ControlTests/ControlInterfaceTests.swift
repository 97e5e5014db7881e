import Control
import SettledValues
import Testing
import Varlink

@Suite struct `the interface of the daemon` {
  let root = Exchange(as: Peer(user: 0, group: 0))

  @Test func `keeps the rules of all parsers`() {
    #expect(Interface.settled.faults == [])
  }

  @Test func `has a handler for every method, whose reply is as described`() throws {
    let parameters = [
      "Get": #"{"path":"pi"}"#, "Evaluate": #"{"expression":"http.port * 2"}"#,
      "Explain": #"{"name":"pi"}"#,
    ]
    for method in Interface.settled.methods {
      let answer = root.ask(method.name, parameters[method.name] ?? "{}")
      root.daemon.reloads.popLast()?(FixedDaemon.verdict)
      let reply = try JSON.read(answer.isEmpty ? root.answer() : answer)
      guard case .map(let map) = reply, case .map(let parameters)? = map["parameters"] else {
        Issue.record("no reply from \(method.name): \(reply)")
        continue
      }
      #expect(map["error"] == nil)
      #expect(Interface.settled.firstFault(in: parameters, of: method.output) == nil)
      #expect(parameters.keys == method.output.map { .string($0.name) })
    }
  }

  @Test func `tells the status`() {
    #expect(
      root.ask("GetStatus") == #"{"parameters":{"version":1,"state":"degraded","generation":7,"#
        + #""since":"2026-01-31T12:00:00Z","summary":"generation 7 in force; last reload refused: "#
        + #"shop.d/20-web.yaml:3","last_reload":{"generation":7,"outcome":"refused","#
        + #""at":"2026-01-31T12:00:00Z","diagnostics":[{"severity":"error","message":"'http.port' "#
        + #"must be at most 65535, not 70000","place":{"file":"shop.d/20-web.yaml","line":3,"#
        + #""column":9},"excerpt":{"line":"  port: 70000","length":5},"hint":"use a port from 1 to "#
        + #"65535","notes":[{"place":{"file":"shop.yaml","line":2},"message":"overrides this"}]},"#
        + #"{"severity":"warning","message":"no place","notes":[]}]},"targets":[{"name":"site","#
        + #""file":"/etc/nginx/conf.d/shop.conf","state":"settled","reason":null},{"name":"cache","#
        + #""file":null,"state":"failed","reason":"shopctl: exit status 1"}],"inputs":3,"#
        + #""warnings":["inputs are polled, not watched: no inotify"],"#
        + #""next_try":"2026-01-31T12:00:04Z"}}"#)
  }

  @Test func `gives values, without what JSON does not have`() {
    #expect(root.ask("Get", #"{"path":"http.port"}"#) == #"{"parameters":{"value":8080}}"#)
    #expect(
      root.ask("Get", #"{"path":"http"}"#)
        == #"{"parameters":{"value":{"port":8080,"share":".inf","tags":["a",null]}}}"#)
    #expect(root.ask("Show").contains(#""derived":{"pi":3.5}"#))
  }

  @Test(arguments: [
    ("nothing", #""NotFound","parameters":{"path":"nothing","hint":"did you mean 'http.port'?"}"#),
    ("late", #""NotReady","parameters":{}"#),
    ("broken", #""Failed","parameters":{"message":"division by zero"}"#),
  ])
  func `tells why there is no value`(path: String, answer: String) {
    let expected = "{\"error\":\"io.settled." + answer.dropFirst() + "}"
    #expect(root.ask("Get", "{\"path\":\"\(path)\"}") == expected)
  }

  @Test func `answers a reload when the verdict is there`() {
    #expect(root.ask("Reload") == "")
    root.daemon.reloads.removeFirst()(
      Verdict(generation: 8, outcome: .applied, at: Timestamp(seconds: 0)))
    #expect(
      root.answer() == #"{"parameters":{"generation":8,"outcome":"applied","#
        + #""at":"1970-01-01T00:00:00Z","diagnostics":[]}}"#)
  }

  @Test(
    arguments: [
      (Peer(user: 0, group: 0), true), (Peer(user: 990, group: 5), true),
      (Peer(user: 1000, group: 991), true), (Peer(user: 1000, group: 5, groups: [4, 991]), true),
      (Peer(user: 1000, group: 5, groups: [4]), false), (Peer(user: 1000, group: 0), false),
    ] as [(Peer, Bool)])
  func `is for those with rights`(peer: Peer, isTrusted: Bool) {
    let denied = #"{"error":"org.varlink.service.PermissionDenied","parameters":{}}"#
    let exchange = Exchange(as: peer)
    #expect((exchange.ask("Get", #"{"path":"pi"}"#) != denied) == isTrusted)
    #expect((exchange.ask("Show") != denied) == isTrusted)
    let status = exchange.ask("GetStatus")
    #expect(status.contains(#""state":"degraded""#))
    #expect(status.contains("70000") == isTrusted)
    #expect(status.contains("exit status") == isTrusted)
    #expect((exchange.ask("Reload") != denied) == isTrusted)
    #expect(exchange.daemon.reloads.count == (isTrusted ? 1 : 0))
  }

  @Test func `tells those who watch, values only to those with rights`() {
    let first = root.ask("Watch", #"{"paths":["http.port"]}"#, more: true)
    #expect(first.contains(#""changes":[{"path":"http.port","value":8080}],"cut":false}"#))
    #expect(first.contains(#""continues":true"#))
    #expect(root.daemon.subscriptions.map(\.paths) == [["http.port"]])
    let stranger = Exchange(as: Peer(user: 1000, group: 5))
    #expect(stranger.ask("Watch", #"{"paths":["a"]}"#, more: true).contains("PermissionDenied"))
    #expect(stranger.ask("Explain", #"{"name":"pi"}"#).contains("PermissionDenied"))
    #expect(stranger.ask("GetGraph").contains("PermissionDenied"))
    let shown = stranger.ask("Watch", more: true)
    #expect(shown.contains(#""summary":"","changes":[],"cut":false}"#))
    #expect(stranger.daemon.subscriptions.count == 1)
  }

  @Test func `gives one reply to who watches without 'more'`() {
    #expect(!root.ask("Watch").contains("continues"))
    #expect(root.daemon.subscriptions.isEmpty)
  }

  @Test func `drops a client that watches and does not read`() throws {
    _ = root.ask("Watch", more: true)
    let subscription = try #require(root.daemon.subscriptions.first)
    var count = 0
    while subscription.isOpen, count < 100_000 {
      subscription.tell(FixedDaemon.event)
      count += 1
      #expect(root.conversation.output.count <= 2 << 20)
    }
    #expect(!subscription.isOpen)
    #expect(root.conversation.isBroken)
    #expect(root.conversation.output.isEmpty)
  }

  @Test func `is for no member of a group that does not exist`() {
    #expect(!Access(user: 990, group: nil).isTrusted(Peer(user: 1000, group: 991, groups: [991])))
    #expect(Access.standard(group: "no-such-group-here").group == nil)
    #expect(Access.standard(group: "root").group == 0)
  }
}

@Suite struct `types on the wire` {
  @Test func `read back what they write`() throws {
    #expect(try Status(wire: FixedDaemon.status.wire) == FixedDaemon.status)
    #expect(try Verdict(wire: FixedDaemon.verdict.wire) == FixedDaemon.verdict)
    let starting = Status(state: .starting, generation: 0, since: Timestamp(seconds: 0))
    #expect(try Status(wire: starting.wire) == starting)
  }

  @Test func `may have fields that are not known yet`() throws {
    var wire = FixedDaemon.status.wire
    wire["new"] = 1
    #expect(try Status(wire: wire) == FixedDaemon.status)
  }

  @Test(
    arguments: [
      ("state", nil), ("state", "other"), ("generation", "7"), ("since", "yesterday"),
      ("targets", nil), ("targets", [1]), ("last_reload", 1), ("last_reload", ["outcome": "x"]),
    ] as [(String, Value)])
  func `refuse what they do not understand`(field: String, value: Value) {
    var wire = FixedDaemon.status.wire
    wire[.string(field)] = value
    #expect(throws: WireFault.self) { try Status(wire: wire) }
  }

  @Test(
    arguments: [
      (0, nil, "/run/settled/io.settled"), (0, "/run/user/0", "/run/settled/io.settled"),
      (1000, "/run/user/1000", "/run/user/1000/settled/io.settled"), (1000, nil, nil),
      (1000, "", nil), (1000, "run", nil),
    ] as [(UInt32, String?, String?)])
  func `have a standard socket`(user: UInt32, directory: String?, path: String?) {
    #expect(ControlSocket.standardPath(user: user, runtimeDirectory: directory) == path)
  }
}
