import Glibc
import TestSupport
import Testing

/// What a local user without rights can do to the daemon: see how it is, and nothing else.
///
/// packaging/THREATS.md names these tests.
@Suite struct UnprivilegedTests {
  private static let nobody = [
    "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs",
  ]

  private let folder: TemporaryDirectory
  private let daemon: RunningProgram

  init() throws {
    folder = try TemporaryDirectory()
    chmod(folder.path, 0o755)
    try folder.write(
      """
      layers: [shop.yaml]
      targets:
        site: {file: site.conf, content: "{{ title }}\\n"}
        fails: {follows: title, run: ["false"], required: false}
      """, to: "settled.yaml")
    try folder.write("title: \"a\\e[31mb\\nsettled: forged\"\nsize: 1\n", to: "shop.yaml")
    daemon = try RunningProgram([
      builtProgram("settled"), "--manifest", folder.path("settled.yaml"), "--socket",
      folder.path("run/io.settled"), "--state-directory", folder.path("state"),
    ])
    try daemon.wait { [daemon] in daemon.errors.contains("generation 1 is in force") }
  }

  private func settlectl(_ arguments: [String], as user: [String] = []) throws -> ProgramOutcome {
    try run(
      user + [
        "timeout", "10", builtProgram("settlectl"), "--socket", folder.path("run/io.settled"),
      ]
        + arguments)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to become another user"))
  func `another user is told the status, without what findings and reasons quote`() throws {
    try folder.write("title: [\nsize: 70000\n", to: "shop.yaml")
    #expect(try settlectl(["reload"]).status == 1)
    let own = try settlectl(["status", "--json"]).output
    let other = try settlectl(["status", "--json"], as: Self.nobody).output
    #expect(own.contains("\"line\"") && own.contains("'['"))
    #expect(other.contains("\"shop.yaml\"") && other.contains("\"degraded\""))
    #expect(!other.contains("title") && !other.contains("70000") && !other.contains("'['"))
  }

  @Test(
    .enabled(if: geteuid() == 0, "needs root to become another user"),
    arguments: [["get", "title"], ["show"], ["eval", "1 + 1"], ["reload"]])
  func `another user gets no value and gives no order`(arguments: [String]) throws {
    let outcome = try settlectl(arguments, as: Self.nobody)
    #expect(outcome.status == 4)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("settlectl: not permitted"))
    #expect(try settlectl(arguments).status == 0)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to become another user"))
  func `another user is told of a socket out of reach, and not that no daemon runs`() throws {
    chmod(folder.path("run"), 0o700)
    let outcome = try settlectl(["plan"], as: Self.nobody)
    #expect(outcome.status == 4)
    #expect(
      outcome.errors.hasPrefix(
        "settlectl: not permitted: cannot connect to '\(folder.path("run/io.settled"))': "))
    #expect(outcome.errors.contains("namei -l"))
  }

  @Test(
    .enabled(if: geteuid() == 0, "needs root to become another user"),
    arguments: [
      "kill -HUP $0", "kill -TERM $0", "ls $1/state", "cat $1/state/applied.json",
      "rm -f $1/run/io.settled", "mv $1/run/io.settled $1/run/x", "touch $1/run/x",
      "touch $1/state/x", "cat /proc/$0/environ", "cat /proc/$0/maps",
    ])
  func `another user has no other way in`(command: String) throws {
    let outcome = try run(Self.nobody + ["sh", "-c", command, "\(daemon.process)", folder.path])
    #expect(outcome.status != 0, "\(command): \(outcome)")
    #expect(try settlectl(["status"]).status == 1, "a target fails, and so it stays")
  }

  @Test func `a value cannot steer the terminal it is shown on`() throws {
    for verb in ["get title", "show", "eval title", "eval '[title]'", "show --json", "status"] {
      let command = "\(builtProgram("settlectl")) --socket \(folder.path("run/io.settled")) \(verb)"
      let outcome = try run(
        ["script", "-qec", command, "/dev/null"], environment: ["TERM": "dumb", "NO_COLOR": "1"])
      #expect(!outcome.output.unicodeScalars.contains("\u{1B}"), "\(verb): \(outcome.output)")
      #expect(verb == "status" || outcome.output.contains("31m"))
    }
  }

  @Test func `a name or value cannot forge a line of the log or the status`() throws {
    try folder.write(
      """
      layers: [shop.yaml]
      "x\\nsettled: forged\\e[31m": 1
      derived: {y: "{'a': 1}[title]"}
      """, to: "settled.yaml")
    let reload = try settlectl(["reload"])
    #expect(reload.status == 1)
    let status = try settlectl(["status"]).output
    let log = daemon.errors
    for text in [reload.errors, status, log] {
      #expect(text.contains("forged"))
      #expect(!text.unicodeScalars.contains("\u{1B}"))
      let lines = text.split(separator: "\n")
      #expect(lines.allSatisfy { !$0.hasPrefix("settled: forged") })
    }
  }
}
