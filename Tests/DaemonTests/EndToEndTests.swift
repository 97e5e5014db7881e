import Glibc
import TestSupport
import Testing

/// What the saved file is to the daemon.
private enum Role: CaseIterable {
  case layer, dropIn, template, manifest

  /// What the saved file holds, with `$word` in it.
  func content(_ word: String) -> String {
    self == .manifest
      ? "{layers: [{optional: none}], targets: {out: {file: ../out, content: \(word)}}}"
      : "value: \(word)"
  }

  /// The manifest, where the saved file is something else.
  var manifest: String {
    let target = "targets: {out: {file: out, content: '{{ value }}'}}"
    return switch self {
    case .layer: "{layers: [{optional: conf/app.yaml}], \(target)}"
    case .dropIn: "{layers: [conf/*p.yaml], \(target)}"
    case .template:
      "{layers: [{optional: none}], targets: {out: {file: out, template: conf/app.yaml}}}"
    case .manifest: ""
    }
  }
}

struct EndToEndTests {
  /// Each way to save a file in one role; with `SETTLED_WATCH_ROUNDS` in each role, so many times.
  private static let cases: [(SavePattern, Int)] = {
    let rounds = environment("SETTLED_WATCH_ROUNDS").flatMap { Int($0) }
    return savePatterns.filter(\.startsWhole).enumerated().flatMap { number, pattern in
      (0..<(rounds ?? 1)).flatMap { _ in
        (rounds == nil ? [number % 4] : Array(0..<4)).map { (pattern, $0) }
      }
    }
  }()

  @Test(arguments: cases)
  func `a saved file reaches the target`(pattern: SavePattern, role number: Int) throws {
    let role = Role.allCases[number]
    let folder = try TemporaryDirectory()
    let words = "OLD='\(role.content("old"))'; NEW='\(role.content("new"))'; "
    try runShell(words + SavePattern.start + pattern.layout, in: folder.path)
    try folder.write(role.manifest, to: "settled.yaml")
    let manifest = role == .manifest ? "conf/app.yaml" : "settled.yaml"
    let daemon = try RunningProgram([
      builtProgram("settled"), "--manifest", folder.path(manifest),
      "--socket", folder.path("socket"), "--state-directory", folder.path("state"),
    ])
    try daemon.wait { folder.read("out")?.contains("old") == true }
    for step in pattern.steps {
      usleep(.random(in: 0...30_000))
      try runShell(words + step, in: folder.path)
    }
    try daemon.wait { folder.read("out")?.contains("new") == true }
  }

  @Test func `the daemon's own settings follow a reload`() throws {
    let folder = try TemporaryDirectory()
    func write(_ level: String, _ content: String) throws {
      try folder.write(
        """
        layers: [{optional: none}]
        daemon: {log_level: \(level), quiet: 1ms}
        targets: {out: {file: out, content: \(content)}}
        """, to: "settled.yaml")
    }
    try write("info", "one")
    let daemon = try RunningProgram([
      builtProgram("settled"), "--manifest", folder.path("settled.yaml"),
      "--socket", folder.path("socket"), "--state-directory", folder.path("state"),
    ])
    try daemon.wait { daemon.errors.contains("generation 1 is in force") }
    try write("error", "two")
    try daemon.wait { folder.read("out")?.contains("two") == true }
    try write("info", "three")
    try daemon.wait { daemon.errors.contains("generation 3 is in force") }
    #expect(!daemon.errors.contains("generation 2"))
  }
}
