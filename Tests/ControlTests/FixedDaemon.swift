import Control
import SettledValues
import TestSupport
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
    ], inputs: 3, warnings: ["inputs are polled, not watched: no inotify"],
    nextTry: Timestamp(seconds: 1_769_860_804))

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

  /// Serves it at a path: what becomes readable, and what answers then.
  func serve(at path: String) throws -> PollingThread.Work {
    let server = try ControlServer(for: self, at: path)
    return (
      server.descriptor,
      {
        server.process()
        for completion in self.reloads { completion(Self.verdict) }
        self.reloads = []
      }
    )
  }

  func reload(_ completion: @escaping (Verdict) -> Void) {
    reloads.append(completion)
  }

  /// The clients that watch.
  var subscriptions: [Subscription] = []
  static let event = WatchEvent(
    state: .settled, generation: 7, at: Timestamp(seconds: 1_769_860_800), summary: "settled",
    changes: [WatchEvent.Change(path: "http.port", value: 8080)])

  func explain(
    _ name: String, as kind: String?,
    _ completion: @escaping (Result<ValueMap, ControlError>) -> Void
  ) {
    guard name == "pi" else { return completion(.failure(.notFound(path: name, hint: nil))) }
    completion(
      .success([
        "version": 1, "kind": "derived", "name": "pi",
        "description": "how round it is", "value": 3.5,
        "place": ["file": "settled.yaml", "line": 4, "column": 3], "layers": [],
        "expression": "7.0 / 2.0", "reads": [],
        "readers": [["kind": "target", "name": "site", "through": []]], "file": nil, "actions": [],
        "state": nil, "reason": nil, "ran": nil,
        "changed": [
          "generation": 3, "at": "2026-01-31T12:00:00Z", "is_change": true,
          "cause": "edit", "inputs": ["shop.yaml"],
        ],
      ]))
  }

  func graph(_ completion: @escaping (Result<ValueMap, ControlError>) -> Void) {
    completion(
      .success([
        "version": 1,
        "nodes": [
          ["kind": "setting", "name": "http.port", "detail": ""],
          ["kind": "target", "name": "site", "detail": "say \"x\""],
        ], "edges": [["from": "setting http.port", "to": "target site"]],
      ]))
  }

  func watch(_ subscription: Subscription) {
    subscription.tell(subscription.isTrusted ? Self.event : Self.event.publicPart)
    if subscription.isOpen { subscriptions.append(subscription) }
  }

  func wait(looks: Bool, _ completion: @escaping (Status) -> Void) { completion(Self.status) }

  func metrics() -> String {
    """
    # TYPE settled_state stateset
    # HELP settled_state How the daemon is.
    settled_state{settled_state="settled"} 1
    # TYPE settled_reload_duration_seconds histogram
    # UNIT settled_reload_duration_seconds seconds
    # HELP settled_reload_duration_seconds How long passes took.
    settled_reload_duration_seconds_bucket{le="+Inf"} 2
    settled_reload_duration_seconds_sum 0.25
    # EOF

    """
  }

  static let entry = {
    var entry = HistoryEntry(
      generation: 7, at: Timestamp(seconds: 1_769_860_800), cause: .edit, outcome: .applied,
      duration: .milliseconds(12))
    entry.paths = ["http.port"]
    entry.inputs = ["shop.yaml"]
    entry.steps = [
      HistoryEntry.Step(
        target: "site", file: "/etc/nginx/conf.d/shop.conf", change: "replace",
        reason: "because http.port changed, shop.yaml:3")
    ]
    entry.actions = [
      HistoryEntry.Act(
        action: "reload nginx.service", targets: ["site"], outcome: .failed, reason: "no reply")
    ]
    return entry
  }()

  static let refusedEntry = {
    var entry = HistoryEntry(
      generation: 7, at: Timestamp(seconds: 1_769_860_860), cause: .reload, outcome: .refused,
      duration: .milliseconds(3))
    entry.findings = [finding.summary]
    return entry
  }()

  func apply(_ targets: [String], _ completion: @escaping (Verdict) -> Void) {
    let isKnown = targets.isEmpty || targets == ["site"]
    completion(
      Verdict(
        generation: 7, outcome: isKnown ? .applied : .refused,
        at: Timestamp(seconds: 1_769_860_800),
        diagnostics: isKnown ? [] : [Diagnostic(.error, "there is no target '\(targets[0])'")]))
  }

  func plan(_ completion: @escaping (PlanAnswer) -> Void) {
    completion(
      PlanAnswer(
        diagnostics: [], isRefused: false, hasChanges: true, text: "site: replace /etc/shop.conf\n",
        plan: ["version": 1, "files": [], "actions": []]))
  }

  func history(last count: Int) -> [HistoryEntry] {
    Array([Self.entry, Self.refusedEntry].suffix(count))
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

  func ask(_ method: String, _ parameters: String = "{}", more: Bool = false) -> String {
    let message =
      "{\"method\":\"io.settled.\(method)\",\"parameters\":\(parameters),\"more\":\(more)}\0"
    Array(message.utf8).withUnsafeBytes { conversation.receive($0) }
    conversation.advance(with: service)
    return answer()
  }

  func answer() -> String {
    defer { conversation.didSend(conversation.output.count) }
    return String(decoding: conversation.output.filter { $0 != 0 }, as: UTF8.self)
  }
}
