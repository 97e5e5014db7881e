import Control
import SettledValues
import Varlink

/// A daemon that always answers the same, and gives verdicts when it is told to.
final class FixedDaemon: ControlService {
  var reloads: [(Verdict) -> Void] = []

  static let finding = Diagnostic(
    .error, "'http.port' must be at most 65535, not 70000",
    at: Place(file: "shop.d/20-web.yaml", line: 3, column: 9),
    excerpt: .init(line: "  port: 70000", length: 5), hint: "use a port from 1 to 65535",
    notes: [.init("overrides this", at: Place(file: "shop.yaml", line: 2))])

  static let verdict = Verdict(
    generation: 7, outcome: .refused, at: Timestamp(seconds: 1_769_860_800),
    diagnostics: [finding, Diagnostic(.warning, "no place")])

  static let status = Status(
    state: .degraded, generation: 7, since: Timestamp(seconds: 1_769_860_800),
    summary: "generation 7 in force; last reload refused: shop.d/20-web.yaml:3",
    lastReload: verdict,
    targets: [
      .init(name: "site", file: "/etc/nginx/conf.d/shop.conf", state: .settled),
      .init(name: "cache", state: .failed, reason: "shopctl: exit status 1"),
    ])

  func status() -> Status { Self.status }

  func evaluate(_ expression: String) throws(ControlError) -> (value: Value, reads: [String]) {
    guard expression == "http.port * 2" else { throw .failed("no such expression here") }
    return (16160, ["http.port"])
  }

  func value(at path: String) throws(ControlError) -> Value {
    switch path {
    case "http": ["port": 8080, "share": .double(.infinity), "tags": ["a", nil]]
    case "http.port": 8080
    case "pi": 3.5
    case "late": throw .notReady
    case "broken": throw .failed("division by zero")
    default: throw .notFound(path: path, hint: "did you mean 'http.port'?")
    }
  }

  func values() throws(ControlError) -> (settings: Value, derived: Value) {
    (["http": try value(at: "http")], ["pi": 3.5])
  }

  func reload(_ completion: @escaping (Verdict) -> Void) {
    reloads.append(completion)
  }
}

/// What the daemon's service answers a peer, message by message, with `|` for NUL.
struct Exchange {
  let daemon = FixedDaemon()
  let conversation: Conversation
  private let service: Service

  init(as peer: Peer, access: Access = Access(user: 990, group: 991)) {
    conversation = Conversation(with: peer)
    service = ControlServer.service(for: daemon, access: access)
  }

  func ask(_ method: String, _ parameters: String = "{}") -> String {
    let message = "{\"method\":\"io.settled.\(method)\",\"parameters\":\(parameters)}\0"
    Array(message.utf8).withUnsafeBytes { conversation.receive($0) }
    conversation.advance(with: service)
    return answer()
  }

  func answer() -> String {
    defer { conversation.didSend(conversation.output.count) }
    return String(decoding: conversation.output.filter { $0 != 0 }, as: UTF8.self)
  }
}
