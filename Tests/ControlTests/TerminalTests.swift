import Glibc
import TestSupport
import Testing

/// The tool on a terminal of 80 columns and 24 lines.
@Suite struct TerminalTests {
  /// What the terminal shows of a command line, without carriage returns.
  private func shown(_ line: String, _ environment: [String: String] = [:]) throws -> String {
    let directory = try TemporaryDirectory()
    try directory.write("settings: {}\n", to: "bad.yaml")
    let command =
      "stty rows 24 cols 80; cd '\(directory.path)'; \(builtProgram("settlectl")) \(line)"
    let variables = ["TERM": "xterm", "NO_COLOR": "", "PAGER": "sed s/^/paged:/"]
    let outcome = try run(
      ["script", "-qec", command, "/dev/null"],
      environment: variables.merging(environment) { $1 })
    return outcome.output.replacing("\r\n", with: "\n")
  }

  private let long = "schema --reference"

  @Test func `a long answer goes through the pager that is named`() throws {
    #expect(try shown(long).hasPrefix("paged:"))
    let own = try shown(long, ["SETTLED_PAGER": "sed s/^/own:/"])
    #expect(own.hasPrefix("own:"))
    // All of it, and once.
    let whole = try shown("--no-pager " + long)
    #expect(own.replacing("own:", with: "") == whole)
    #expect(whole.split(separator: "\n").count > 24)
  }

  @Test(arguments: [
    ("--no-pager schema --reference", [:]), ("schema --reference", ["TERM": "dumb"]),
    ("schema --reference", ["PAGER": ""]), ("schema --reference", ["SETTLED_PAGER": "cat"]),
    ("schema --reference", ["PAGER": "/nonexistent/pager 2>/dev/null"]),
    ("help status", [:]), ("schema --reference | cat", [:]),
  ])
  func `nothing is paged where nobody wants it, or nothing is long`(
    line: String, environment: [String: String]
  ) throws {
    let text = try shown(line, environment)
    #expect(!text.contains("paged:"))
    #expect(text.split(separator: "\n").count > 5)
  }

  @Test func `less gets options with which it ends after a short text, and keeps colours`() throws {
    let pager = ["PAGER": "echo \"options: $LESS\"; cat >/dev/null"]
    #expect(try shown("schema --reference", pager) == "options: FRX\n")
    #expect(
      try shown("schema --reference", pager.merging(["LESS": "S"]) { $1 }) == "options: S\n")
  }

  @Test func `who is root by sudo gets no pager of their own choice`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("#!/bin/sh\ncat >/dev/null; echo \"less: $LESSSECURE\"\n", to: "less")
    chmod(directory.path("less"), 0o755)
    let path = directory.path + ":/usr/bin:/bin"
    let text = try shown(long, ["SUDO_UID": "1000", "SETTLED_PAGER": "echo own", "PATH": path])
    #expect(text == "less: 1\n")
  }

  @Test func `the pager's end is not the tool's: its exit status stays`() throws {
    #expect(try shown("\(long); echo status $?", ["PAGER": "false"]).hasSuffix("status 0\n"))
  }
}
