import Control
import Glibc
import SettledValues
import TestSupport
import Testing

/// A daemon over one layer and one target.
private struct Shop {
  let folder: TemporaryDirectory
  private(set) var daemon: RunningProgram
  let socket: String

  init() throws {
    folder = try TemporaryDirectory()
    socket = folder.path("s")
    try folder.write("port: 1\nother: 1\n", to: "shop.yaml")
    try folder.write(
      "properties: {port: {description: where it listens}, other: {title: Another}}",
      to: "shop.schema.yaml")
    try folder.write(
      """
      layers: [shop.yaml]
      schema: shop.schema.yaml
      derived: {twice: port * 2}
      targets: {out: {file: out, content: "{{ twice }}"}}
      """, to: "settled.yaml")
    daemon = try Self.start(in: folder)
    try waitUntilSettled()
  }

  private static func start(in folder: TemporaryDirectory) throws -> RunningProgram {
    try RunningProgram([
      builtProgram("settled"), "--manifest", folder.path("settled.yaml"), "--socket",
      folder.path("s"), "--state-directory", folder.path("state"),
    ])
  }

  /// Ends the daemon as systemd does, and starts another one.
  mutating func restart() throws {
    #expect(daemon.end(with: SIGTERM) == 0)
    daemon = try Self.start(in: folder)
    try waitUntilSettled()
  }

  private func waitUntilSettled() throws {
    try daemon.wait { (try? ControlClient(socket).wait(atMost: .seconds(5))) != nil }
  }
}

struct WatchingClientTests {
  @Test func `who watches is told what holds, and each change once`() throws {
    let shop = try Shop()
    var events: [WatchEvent] = []
    try ControlClient(shop.socket).watch(["twice"]) { wire in
      guard let event = try? WatchEvent(wire: wire) else { return false }
      events.append(event)
      switch events.count {
      case 1: _ = try? shop.folder.write("port: 1\nother: 2\n", to: "shop.yaml")
      default: return false
      }
      // The first edit changes nothing that is watched.
      _ = try? ControlClient(shop.socket).reload()
      _ = try? shop.folder.write("port: 5\nother: 2\n", to: "shop.yaml")
      return true
    }
    #expect(
      events.map(\.changes) == [
        [WatchEvent.Change(path: "twice", value: 2)], [WatchEvent.Change(path: "twice", value: 10)],
      ])
    #expect(events.map(\.generation) == [1, 3])
  }

  @Test func `who waits gets what an edit before it came to`() throws {
    let shop = try Shop()
    let client = try ControlClient(shop.socket)
    for port in 2...20 {
      try shop.folder.write("port: \(port)\nother: 1\n", to: "shop.yaml")
      let end = try client.wait(atMost: .seconds(20))
      #expect(end?.state == .settled)
      #expect(shop.folder.read("out") == "\(2 * port)")
    }
    try shop.folder.write("port: [\n", to: "shop.yaml")
    #expect(try client.wait(atMost: .seconds(20))?.state == .degraded)
    #expect(try client.status().generation == 20)
  }

  @Test func `an explanation tells what a value is, when it changed and a target ran`() throws {
    var shop = try Shop()
    try shop.folder.write("port: 5\nother: 1\n", to: "shop.yaml")
    #expect(try ControlClient(shop.socket).reload().generation == 2)
    let names = ["port", "twice", "other", "out"]
    func explanations() throws -> [ValueMap] {
      try names.compactMap { name in
        guard case .map(let map) = try ControlClient(shop.socket).explain(name, as: nil) else {
          return nil
        }
        return map
      }
    }
    func changes(_ explanations: [ValueMap]) -> [Value?] {
      explanations.map {
        guard case .map(let change)? = $0["changed"] else { return nil }
        return [
          "generation": change["generation"] ?? nil, "is_change": change["is_change"] ?? nil,
          "inputs": change["inputs"] ?? nil,
        ]
      }
    }
    let before = try explanations()
    let edit: Value = ["generation": 2, "is_change": true, "inputs": ["shop.yaml"]]
    let start: Value = ["generation": 1, "is_change": false, "inputs": []]
    #expect(changes(before) == [edit, edit, start, edit])
    #expect(before[0]["description"] == "where it listens")
    #expect(before[2]["description"] == "Another")
    #expect(before[3]["ran"] == "replaced because port changed, shop.yaml:1")
    #expect(
      before[3]["reason"] == "replaced in generation 2 because port changed, shop.yaml:1")
    // What was is known from the history.
    try shop.restart()
    #expect(try explanations() == before)
    try shop.folder.write("port: 5\nother: 7\n", to: "shop.yaml")
    #expect(try ControlClient(shop.socket).reload().generation == 3)
    let other: Value = ["generation": 3, "is_change": true, "inputs": ["shop.yaml"]]
    #expect(changes(try explanations()) == [edit, edit, other, edit])
  }

  @Test func `the metrics are all there`() throws {
    let shop = try Shop()
    let client = try ControlClient(shop.socket)
    try shop.folder.write("port: 5\nother: 1\n", to: "shop.yaml")
    _ = try client.reload()
    #expect(try client.wait(atMost: .seconds(20))?.state == .settled)
    let text = try client.metrics()
    // What takes its time, and what the kernel and the order of edit and reload decide.
    let varying = #/(_bucket\{le="[^+].*|_sum|_watches|_evaluations_total|"unchanged"\}) [0-9.e-]+/#
    let shown = text.replacing(varying) {
      "\($0.1) #"
    }.replacing(/(_bucket\{le="\+Inf"\}|_count) [0-9]+\n/) { "\($0.1) #\n" }
    #expect(shown == Self.metrics)
  }

  private static let metrics = """
    # TYPE settled_build info
    # HELP settled_build The version of settled.
    settled_build_info{version="0.1.0"} 1
    # TYPE settled_state stateset
    # HELP settled_state How the daemon is.
    settled_state{settled_state="starting"} 0
    settled_state{settled_state="settled"} 1
    settled_state{settled_state="settling"} 0
    settled_state{settled_state="degraded"} 0
    # TYPE settled_generation gauge
    # HELP settled_generation The number of the generation in force.
    settled_generation 2
    # TYPE settled_reloads counter
    # HELP settled_reloads The passes over the inputs, by outcome.
    settled_reloads_total{outcome="applied"} 2
    settled_reloads_total{outcome="unchanged"} #
    settled_reloads_total{outcome="refused"} 0
    settled_reloads_total{outcome="rolled_back"} 0
    # TYPE settled_reload_duration_seconds histogram
    # UNIT settled_reload_duration_seconds seconds
    # HELP settled_reload_duration_seconds How long passes took.
    settled_reload_duration_seconds_bucket{le="0.001"} #
    settled_reload_duration_seconds_bucket{le="0.0025"} #
    settled_reload_duration_seconds_bucket{le="0.005"} #
    settled_reload_duration_seconds_bucket{le="0.01"} #
    settled_reload_duration_seconds_bucket{le="0.025"} #
    settled_reload_duration_seconds_bucket{le="0.05"} #
    settled_reload_duration_seconds_bucket{le="0.1"} #
    settled_reload_duration_seconds_bucket{le="0.25"} #
    settled_reload_duration_seconds_bucket{le="0.5"} #
    settled_reload_duration_seconds_bucket{le="1.0"} #
    settled_reload_duration_seconds_bucket{le="5.0"} #
    settled_reload_duration_seconds_bucket{le="30.0"} #
    settled_reload_duration_seconds_bucket{le="+Inf"} #
    settled_reload_duration_seconds_count #
    settled_reload_duration_seconds_sum #
    # TYPE settled_targets gauge
    # HELP settled_targets The targets, by state.
    settled_targets{state="settled"} 1
    settled_targets{state="pending"} 0
    settled_targets{state="failed"} 0
    settled_targets{state="drifted"} 0
    settled_targets{state="skipped"} 0
    # TYPE settled_inputs gauge
    # HELP settled_inputs The inputs that are watched.
    settled_inputs 4
    # TYPE settled_inotify_watches gauge
    # HELP settled_inotify_watches The watches that the kernel holds.
    settled_inotify_watches #
    # TYPE settled_watchers gauge
    # HELP settled_watchers The clients that are told of changes.
    settled_watchers 0
    # TYPE settled_missed_by_inotify counter
    # HELP settled_missed_by_inotify Changes that a comparison found and no event told.
    settled_missed_by_inotify_total 0
    # TYPE settled_inotify_overflows counter
    # HELP settled_inotify_overflows How often the kernel lost events.
    settled_inotify_overflows_total 0
    # TYPE settled_evaluations counter
    # HELP settled_evaluations Evaluations of derived values and targets.
    settled_evaluations_total #
    # EOF

    """
}
