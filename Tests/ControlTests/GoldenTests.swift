import Control
import Glibc
import TestSupport
import Testing

/// Golden sessions: a file holds command lines after `$ `, each with what the tool says to it.
///
/// What goes to standard error begins with `2> `, and the exit status stands at the end where it is
/// not 0. With `SETTLED_BLESS=1` in the environment the answers are written anew, to be read in the
/// diff. The daemon is `FixedDaemon`, the manifests are those of `manifests`.
@Suite struct GoldenTests {
  private static let folder =
    "\(#filePath)".split(separator: "/").dropLast()
    .reduce(into: "") { $0 += "/" + $1 } + "/Golden"

  private static let manifests = [
    "good.yaml": """
    layers: [shop.yaml]
    schema: shop.schema.yaml
    derived:
      twice: port * 2
    targets:
      site: {file: /etc/site, content: "{{ twice }}\\n", run: ["true"]}

    """,
    "bad.yaml": """
    layers: [shop.yaml]
    derived:
      twice: prot * 2
    targts: {}

    """,
    "shop.yaml": "port: 8080\nold: 1\n",
    "shop.schema.yaml": """
    properties:
      port: {type: integer, description: where it listens}
      old: {type: integer, deprecated: true, description: nothing reads it}

    """,
  ]

  static var cases: [String] { names(in: folder).filter { $0.hasSuffix(".txt") }.sorted() }

  private let directory: TemporaryDirectory
  private let thread: PollingThread

  init() throws {
    directory = try TemporaryDirectory()
    for (name, text) in Self.manifests { try directory.write(text, to: name) }
    let path = directory.path("s")
    thread = try PollingThread { try FixedDaemon().serve(at: path) }
  }

  @Test(arguments: cases)
  func `every verb answers in every form, and ends with the status that says how it went`(
    name: String
  ) throws {
    let path = Self.folder + "/" + name
    let expected = String(decoding: try #require(readFile(path)), as: UTF8.self)
    let commands = expected.split(separator: "\n").filter { $0.hasPrefix("$ settlectl ") }
    #expect(!commands.isEmpty)
    let said = try commands.map { try "\($0)\n" + answer(to: $0.dropFirst(2)) }.joined()
    if getenv("SETTLED_BLESS") != nil {
      try write(said, to: path)
    } else {
      #expect(said == expected)
    }
  }

  @Test(arguments: [
    (["TERM": "xterm", "NO_COLOR": ""], true), (["TERM": "xterm", "NO_COLOR": "1"], false),
    (["TERM": "dumb", "NO_COLOR": ""], false),
  ])
  func `colours are for terminals that have them, and never the only sign`(
    environment: [String: String], isColored: Bool
  ) throws {
    let line = "\(builtProgram("settlectl")) --socket \(directory.path("s")) status"
    let outcome = try run(["script", "-qec", line, "/dev/null"], environment: environment)
    let text = outcome.output.replacing("\r\n", with: "\n")
    #expect(text.unicodeScalars.contains("\u{1B}") == isColored)
    #expect(text.contains("degraded") && text.contains("failed") && text.contains("warning: "))
    // Not into a pipe, whatever the terminal.
    let piped = try run(["sh", "-c", line], environment: environment)
    #expect(!piped.output.unicodeScalars.contains("\u{1B}"))
  }

  private func answer(to command: Substring) throws -> String {
    let line = "cd '\(directory.path)'; PATH='\(Self.tools)':$PATH; \(command)"
    let outcome = try run(
      ["sh", "-c", line], environment: ["SETTLED_SOCKET": directory.path("s"), "TERM": "xterm"])
    let errors = outcome.errors.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let status = outcome.status == 0 ? "" : "exit status \(outcome.status)\n"
    return steady(outcome.output + errors.map { "2> \($0)\n" }.joined() + status)
  }

  /// The folder of the tool that was built beside the tests.
  private static var tools: String {
    String(builtProgram("settlectl").dropLast("/settlectl".count))
  }

  /// What was said, without what differs from run to run.
  private func steady(_ text: String) -> String {
    text.replacing(/[0-9]+ (s|min|h|d) ago/, with: "some time ago")
      .split(separator: directory.path, omittingEmptySubsequences: false).joined(separator: "DIR")
  }

  private func write(_ text: String, to path: String) throws {
    let file = try #require(fopen(path, "w"))
    fputs(text, file)
    fclose(file)
  }
}
