import Control
import SettledValues
import TestSupport
import Testing

/// A daemon over one layer and one target.
private struct Shop {
  let folder: TemporaryDirectory
  let daemon: RunningProgram
  let socket: String

  init() throws {
    folder = try TemporaryDirectory()
    socket = folder.path("s")
    try folder.write("port: 1\nother: 1\n", to: "shop.yaml")
    try folder.write(
      """
      layers: [shop.yaml]
      derived: {twice: port * 2}
      targets: {out: {file: out, content: "{{ twice }}"}}
      """, to: "settled.yaml")
    daemon = try RunningProgram([
      builtProgram("settled"), "--manifest", folder.path("settled.yaml"), "--socket", socket,
      "--state-directory", folder.path("state"),
    ])
    let path = folder
    try daemon.wait { path.read("out") == "2" }
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

  @Test func `an explanation tells when something changed and a target ran`() throws {
    let shop = try Shop()
    let client = try ControlClient(shop.socket)
    try shop.folder.write("port: 5\nother: 1\n", to: "shop.yaml")
    #expect(try client.reload().generation == 2)
    func changed(_ name: String) throws -> Value? {
      guard case .map(let map) = try client.explain(name, as: nil),
        case .map(let change)? = map["changed"]
      else { return nil }
      return ["generation": change["generation"] ?? nil, "is_change": change["is_change"] ?? nil]
    }
    #expect(try changed("port") == ["generation": 2, "is_change": true])
    #expect(try changed("twice") == ["generation": 2, "is_change": true])
    #expect(try changed("other") == ["generation": 1, "is_change": false])
    #expect(try changed("out") == ["generation": 2, "is_change": true])
    let metrics = try client.metrics()
    #expect(metrics.contains("\nsettled_generation 2\n"))
    #expect(metrics.contains("\nsettled_reloads_total{outcome=\"applied\"} 2\n"))
    #expect(metrics.contains("\nsettled_targets{state=\"settled\"} 1\n"))
    // The edit may have been seen before the reload that was asked for.
    let counts = ["\nsettled_reload_duration_seconds_count 2\n", "_seconds_count 3\n"]
    #expect(counts.contains { metrics.contains($0) })
    #expect(metrics.hasSuffix("\n# EOF\n"))
  }
}
