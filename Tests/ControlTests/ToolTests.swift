import Control
import Glibc
import SettledValues
import TestSupport
import Testing

/// The tool as it was built beside the tests.
private let tool = builtProgram("settlectl")

private func settlectl(_ line: String, socket: String? = nil) throws -> ProgramOutcome {
  try run(
    [tool] + line.split(separator: " ").map(String.init),
    environment: ["SETTLED_SOCKET": socket ?? "/nonexistent/socket"])
}

@Suite struct `settlectl with a daemon` {
  let directory: TemporaryDirectory
  let thread: PollingThread
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("s")
    thread = try PollingThread { [path] in
      let daemon = FixedDaemon()
      let (descriptor, process) = try daemon.serve(at: path)
      return (
        descriptor,
        {
          process()
          // So that the tool finds out that nobody reads.
          for subscription in daemon.subscriptions { subscription.tell(FixedDaemon.event) }
          daemon.subscriptions.removeAll { !$0.isOpen }
        }
      )
    }
  }

  @Test func `shows the status`() throws {
    let outcome = try settlectl("", socket: path)
    #expect(outcome.status == 1)
    #expect(outcome.errors == "")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("● degraded since 2026-01-31T12:00:00Z ("))
    #expect(lines[1] == "  generation 7 in force; last reload refused: shop.d/20-web.yaml:3")
    #expect(lines[2] == "  generation:   7")
    #expect(lines[3].hasPrefix("  last reload:  refused, "))
    #expect(lines[4] == "    \(FixedDaemon.finding.summary)")
    #expect(outcome.output.contains("  targets:      1 of 2 settled\n    cache  failed "))
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test func `gives the status to programs`() throws {
    let outcome = try settlectl("status --json", socket: path)
    #expect(outcome.status == 1)
    #expect(try JSON.read(outcome.output) == .map(FixedDaemon.status.wire))
    #expect(outcome.output.hasPrefix("{\n  \"version\": 1,\n  \"state\": \"degraded\",\n"))
  }

  @Test(arguments: [
    ("get http.port", "8080\n"), ("get http.port --json", "8080\n"),
    ("get http", "port: 8080\nshare: \".inf\"\ntags:\n  - a\n  - null\n"),
    ("get pi -o yaml", "3.5\n"),
    ("show -o yaml", "version: 1\nsettings:\n  http:\n    port: 8080\n"),
    ("show", "settings:\n  http:\n    port: 8080\n"),
  ])
  func `shows values`(line: String, expected: String) throws {
    let outcome = try settlectl(line, socket: path)
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix(expected))
    #expect(outcome.errors == "")
  }

  @Test func `explains, draws, waits and measures`() throws {
    #expect(
      try settlectl("explain pi", socket: path).output.hasPrefix(
        """
        pi = 3.5
          what it is: how round it is
          computed:   7.0 / 2.0
          written at: settled.yaml:4:3
          read by:    target site
          changed:    in generation 3,\u{20}
        """))
    #expect(
      try settlectl("explain pi", socket: path).output.hasSuffix(", by an edit of shop.yaml\n"))
    #expect(try settlectl("explain x", socket: path).errors == "settlectl: there is no 'x'\n")
    #expect(
      try settlectl("graph --format=mermaid", socket: path).output
        == "flowchart LR\n  n0[\"http.port\"]\n  n1[[\"site<br>say &quot;x&quot;\"]]\n  n0 --> n1\n"
    )
    let waiting = try settlectl("wait --timeout 5", socket: path)
    #expect(waiting.status == 1)
    #expect(waiting.errors == "settlectl: \(FixedDaemon.status.summary)\n")
    #expect(try settlectl("wait --timeout soon", socket: path).status == 2)
    #expect(try settlectl("metrics", socket: path).output.hasSuffix("\n# EOF\n"))
  }

  @Test func `tells of changes until nobody reads`() throws {
    // The daemon tells something whenever somebody asks something.
    let asking = "(while :; do $0 get pi; sleep 0.02; done) >/dev/null & asking=$!"
    let script =
      asking + "; $0 watch --json http.port | head -n 1; $0 watch | head -n 2; kill $asking"
    let outcome = try run(["sh", "-c", script, tool], environment: ["SETTLED_SOCKET": path])
    #expect(
      outcome.output == #"{"state":"settled","generation":7,"at":"2026-01-31T12:00:00Z","#
        + #""summary":"settled","changes":[{"path":"http.port","value":8080}],"cut":false,"#
        + "\"version\":1}\n2026-01-31T12:00:00Z settled, generation 7\n  http.port = 8080\n")
    #expect(outcome.errors == "")
  }

  @Test func `takes the socket as an option`() throws {
    #expect(try settlectl("--socket=\(path) get pi").output == "3.5\n")
  }

  @Test func `says that there is no such value`() throws {
    let outcome = try settlectl("get http.prot", socket: path)
    #expect(outcome.status == 1)
    #expect(outcome.output == "")
    #expect(
      outcome.errors
        == "settlectl: there is no 'http.prot'\n  hint: did you mean 'http.port'?\n")
  }

  @Test func `waits for the verdict and shows what was found`() throws {
    let outcome = try settlectl("reload", socket: path)
    #expect(outcome.status == 1)
    #expect(outcome.output == "")
    #expect(
      outcome.errors == "\(FixedDaemon.finding)\nwarning: no place\n"
        + "settlectl: reload refused, keeping generation 7\n")
    let json = try settlectl("reload --json", socket: path)
    #expect(json.status == 1)
    #expect(try JSON.read(json.output)["outcome"] == "refused")
    #expect(try JSON.read(json.output)["version"] == 1)
  }

  @Test func `ends quietly when nobody reads`() throws {
    // The reader of the pipe is gone before the tool writes.
    let line = "mkfifo $1; true < $1 & exec 4> $1; wait; $0 get http >&4; echo $? >&2"
    let outcome = try run(
      ["sh", "-c", line, tool, directory.path("fifo")], environment: ["SETTLED_SOCKET": path])
    #expect(outcome.errors == "0\n")
  }

  @Test func `says when the answer cannot be written`() throws {
    let outcome = try run(
      ["sh", "-c", "exec $0 get http > /dev/full", tool], environment: ["SETTLED_SOCKET": path])
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == "settlectl: cannot write the answer: No space left on device\n")
  }
}

@Suite struct `settlectl without a daemon` {
  @Test func `says that none runs`() throws {
    let outcome = try settlectl("status")
    #expect(outcome.status == 3)
    #expect(outcome.output == "")
    #expect(
      outcome.errors.hasPrefix(
        "settlectl: settled is not running: cannot connect to '/nonexistent/socket': "
          + "No such file or directory\n"))
  }

  @Test(
    arguments: [
      "", "status", "show", "get", "explain", "eval", "check", "plan", "reload", "apply", "wait",
      "watch", "history", "graph", "metrics", "schema", "completion",
    ])
  func `shows help in one screen, however asked`(verb: String) throws {
    let help = try settlectl("help \(verb)")
    #expect(help.status == 0)
    #expect(help.errors == "")
    let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 25)
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines[2] == "Examples:")
    #expect(try settlectl("\(verb) --help").output == help.output)
    #expect(try settlectl("-h \(verb)").output == help.output)
  }

  @Test func `says what is wrong with its arguments`() throws {
    let outcome = try settlectl("relaod")
    #expect(outcome.status == 2)
    #expect(outcome.output == "")
    #expect(
      outcome.errors
        == "settlectl: unknown verb 'relaod'; did you mean 'reload'?\nTry 'settlectl --help'\n")
    #expect(try settlectl("get").status == 2)
    #expect(try settlectl("--version").output.hasPrefix("settlectl "))
  }
}
