import Glibc
import TestSupport
import Testing

/// Values, names of files and schemas that try to steer the terminal, forge lines of the log, or show
/// text in another order than it has.
///
/// packaging/THREATS.md names these tests.
@Suite struct SteeringTests {
  private let folder: TemporaryDirectory
  private let daemon: RunningProgram

  /// Each kind of what steers, as YAML's double quotes have it: ESC, a forged line, CSI of 8 bits,
  /// DEL, a mark that turns text round, carriage return, backspace, BEL, NUL, a separator of lines.
  private static let hostile =
    "\\e[31m\\nsettled: forged\\u009b31m\\x7f\\u202e\\u2066\\r\\b\\a\\0\\u2028"

  init() throws {
    folder = try TemporaryDirectory()
    for name in ["shop.d", "out"] { mkdir(folder.path(name), 0o755) }
    try folder.write(
      """
      layers: [shop.yaml, shop.d/*.yaml]
      schema: schema.yaml
      derived: {both: 'title + "\\u001b[31m"'}
      targets:
        site: {file: site.conf, content: "{{ title }}\\n"}
        entry: {each: entries, as: e, file: "out/{{ e.value }}.conf", content: "{{ e.value }}\\n"}
        fails: {follows: title, run: [sh, -c, 'printf %s "$0"; exit 3', "{{ say }}"], required: false}
      """, to: "settled.yaml")
    let text = Self.hostile.replacing("\\0", with: "")
    try folder.write(
      """
      properties:
        title: {type: string, description: "what \(text) it is"}
        old: {type: string, deprecated: true, description: "gone \(text)"}
      """, to: "schema.yaml")
    try folder.write(
      """
      title: "a\(Self.hostile)b"
      say: "\(text)"
      "key\(Self.hostile)": 1
      old: x
      """, to: "shop.yaml")
    try folder.write(
      "entries: {one: \"w\(text)\"}\n", to: "shop.d/50-\u{1B}[35m\nsettled: forged.yaml")
    daemon = try folder.startSettled()
  }

  /// What the tool shows on a terminal, without its own colours and carriage returns.
  private func shown(_ line: String) throws -> String {
    let command =
      "\(builtProgram("settlectl")) --no-pager --socket \(folder.path("socket")) \(line)"
    let outcome = try run(
      ["script", "-qec", "cd '\(folder.path)'; \(command)", "/dev/null"],
      environment: ["TERM": "dumb", "NO_COLOR": "1"])
    return outcome.output.replacing("\r\n", with: "\n")
  }

  private func expectHarmless(_ text: String, _ what: String, linesAreOurs: Bool = true) {
    let steering = text.unicodeScalars.filter { scalar in
      (scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t")
        || (0x2028...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
    #expect(steering.isEmpty, "\(what): \(text.debugDescription)")
    guard linesAreOurs else { return }
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { !$0.hasPrefix("settled: forged") }, "\(what): \(text)")
  }

  private static let formats = ["", " --json", " -o yaml"]
  private static let verbs = [
    "status", "show", "explain title", "explain --target site", "explain -m settled.yaml both",
    "explain --target 'entry[one]'", "check settled.yaml", "plan", "plan settled.yaml --root other",
    "history", "wait", "apply", "reload", "metrics", "get entries", "eval '[title]'",
    "eval --trace 'title.size()'", "apply nothing", "get nothing",
  ]

  @Test(arguments: verbs, formats)
  func `no verb, in no format, lets data steer the terminal or forge a line`(
    verb: String, format: String
  ) throws {
    let text = try shown(verb + format)
    expectHarmless(text, verb + format)
    #expect(!text.isEmpty || format.isEmpty)
  }

  @Test(arguments: ["dot", "mermaid", "json"], ["", " -m settled.yaml"])
  func `a graph lets no name steer the terminal`(format: String, manifest: String) throws {
    expectHarmless(try shown("graph --format \(format)\(manifest)"), format)
  }

  @Test(arguments: ["get title", "eval title"])
  func `a text that is asked for keeps its lines, and steers nothing`(verb: String) throws {
    let text = try shown(verb)
    expectHarmless(text, verb, linesAreOurs: false)
    #expect(text.contains("a\\u{1B}[31m\nsettled: forged\\u{9B}31m"))
  }

  @Test(arguments: ["watch title", "watch title --json", "watch --json"])
  func `what is told of changes steers nothing`(verb: String) throws {
    let command = "\(builtProgram("settlectl")) --socket \(folder.path("socket")) \(verb)"
    let asking = try RunningProgram(
      ["script", "-qfec", command, "/dev/null"], environment: ["TERM": "dumb", "NO_COLOR": "1"])
    // An edit made before the tool is connected is not told: each hundredth look edits once more.
    var looks = 0
    try asking.wait {
      if verb == "watch --json", looks.isMultiple(of: 100) {
        _ = try? folder.write("title: \"\(Self.hostile)\(looks)\"\nsay: x\n", to: "shop.yaml")
      }
      looks += 1
      let output = asking.output
      return output.contains("31m") && output.hasSuffix("\r\n")
    }
    expectHarmless(
      asking.output.replacing("\r\n", with: "\n"), verb, linesAreOurs: verb.hasSuffix("--json"))
  }

  @Test func `the log and a status in a pipe have no line and no character of the data's own`()
    throws
  {
    try folder.write("by hand\n", to: "site.conf")
    try daemon.wait { daemon.errors.contains("edited by hand") }
    try folder.write("title: [\"\u{9B}\n", to: "shop.d/60-\u{1B}[36m\nsettled: forged.yaml")
    #expect(try folder.ask("reload").status == 1)
    expectHarmless(daemon.errors, "log")
    #expect(daemon.errors.contains("out/w\\u{1B}[31m\\u{A}settled: forged"))
    let status = try folder.ask("status")
    expectHarmless(status.output, "status")
    #expect(status.output.contains("forged"))
  }

  @Test func `a history has its colours on a terminal`() throws {
    try folder.write("title: [\n", to: "shop.d/60.yaml")
    #expect(try folder.ask("reload").status == 1)
    let command = "\(builtProgram("settlectl")) --socket \(folder.path("socket")) history"
    let outcome = try run(
      ["script", "-qec", command, "/dev/null"], environment: ["TERM": "xterm", "NO_COLOR": ""])
    #expect(outcome.output.contains("\u{1B}[31m"))
    #expect(!outcome.output.contains("\\u{1B}[0m"))
  }
}
