import Glibc
import SettledValues
import TestSupport
import Testing

/// What those who watch are told of a daemon that has other things to do first.
@Suite struct WatchTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try folder.write("layers: [shop.yaml]\n", to: "settled.yaml")
    try set(0)
  }

  private func set(_ value: Int) throws { try folder.write("value: \(value)\n", to: "shop.yaml") }

  private func watcher(_ paths: String...) throws -> RunningProgram {
    let words = [builtProgram("settlectl"), "--socket", folder.path("socket"), "watch", "--json"]
    let watcher = try RunningProgram(words + paths)
    try watcher.wait { watcher.output.contains("\n") }
    return watcher
  }

  /// The values that a watcher was told of, in their order.
  private func told(_ watcher: RunningProgram) throws -> [Value] {
    try watcher.output.split(separator: "\n").flatMap { line -> [Value] in
      guard case .list(let changes)? = try JSON.read(String(line))["changes"] else { return [] }
      return changes.compactMap { $0["path"] == "value" ? $0["value"] : nil }
    }
  }

  @Test func `they are told of every generation in its order, of the last as the daemon ends`()
    throws
  {
    let daemon = try folder.startSettled()
    let watchers = try [watcher(), watcher(), watcher("value"), watcher("absent", "value")]
    for value in 1...40 {
      try set(value)
      #expect(try folder.ask("reload").status == 0)
    }
    #expect(daemon.end(with: SIGTERM) == 0)
    let values = (1...40).map { Value.int($0) }
    // Each ends by itself, as the daemon is gone.
    #expect(watchers.map { $0.end(with: 0) } == [3, 3, 3, 3])
    #expect(try watchers.prefix(2).map(told) == [values, values])
    #expect(try watchers.suffix(2).map(told) == [[0] + values, [0] + values])
  }
}
