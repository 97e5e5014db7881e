import Options
import Testing

extension Option {
  static let all = Option("all", "a", summary: "all of it")
  static let quiet = Option("quiet", "q", summary: "say less")
  static let output = Option(
    "output", "o", metavar: "FORMAT", values: .oneOf(["text", "json"]), summary: "the form")
  static func format(_ words: String...) -> Option {
    Option("format", metavar: "FORMAT", values: .oneOf(words), summary: "the format")
  }
  static let file = Option("file", "f", metavar: "PATH", values: .file, summary: "a file")
}

extension Program {
  static let sample = Program(
    "tool", version: "1.2", summary: "do things",
    examples: [Example("tool get x", "get x")],
    verbs: [
      Verb("status", summary: "show the status", options: [.output, .all]),
      Verb(
        "get", summary: "get something", details: ["Gets a thing."],
        examples: [Example("tool get x", "get x")], arguments: [Argument("PATH")],
        options: [.output]),
      Verb("watch", summary: "watch things", arguments: [Argument("PATH", .any)]),
      Verb("draw", summary: "draw it", options: [.format("svg", "dot")]),
      Verb("count", summary: "count it", options: [.format("new", "old")]),
      Verb("apply", summary: "apply it", arguments: [Argument("TARGET", .optional)]),
    ],
    defaultVerb: "status", options: [.quiet, .file])

  static let plain = Program("daemon", version: "1", summary: "serve", options: [.quiet, .file])
}

@Suite struct `parsing arguments` {
  func parse(_ line: String, _ program: Program = .sample) throws -> Request {
    try program.parse(line.split(separator: " ").map(String.init))
  }

  func run(_ line: String, _ program: Program = .sample) throws -> Invocation {
    guard case .run(let invocation) = try parse(line, program) else {
      throw UsageError.unexpected
    }
    return invocation
  }

  @Test(arguments: [
    "get x -q -o json", "-q get -o json x", "-qo json get x", "-qojson get x", "-q -o json get x",
    "get --output json --quiet x", "--output=json --quiet get x", "get x --quiet --output=json",
    "get -o text -qojson -- x",
  ])
  func `takes options anywhere and in any spelling`(line: String) throws {
    let invocation = try run(line)
    #expect(invocation.verb == "get")
    #expect(invocation.arguments == ["x"])
    #expect(invocation.value(of: .output) == "json")
    #expect(invocation.has(.quiet))
    #expect(!invocation.has(.file))
  }

  @Test func `takes what follows two hyphens as it is`() throws {
    #expect(try run("watch -- -q --all --").arguments == ["-q", "--all", "--"])
    #expect(try run("watch - a").arguments == ["-", "a"])
    #expect(try run("-- get x").verb == "get")
  }

  @Test func `takes values as they are`() throws {
    #expect(try run("--file=a=b").value(of: .file) == "a=b")
    #expect(try run("--file=").value(of: .file) == "")
    #expect(try run("--file --quiet").value(of: .file) == "--quiet")
    #expect(try run("-f a -f b").value(of: .file) == "b")
    #expect(try run("-f a -f b").values(of: .file) == ["a", "b"])
  }

  @Test(arguments: ["count --format old", "--format=old count", "draw --format dot"])
  func `takes the values that the option has for its verb`(line: String) throws {
    let word = try #require(line.split { " =".contains($0) }.first { ["old", "dot"].contains($0) })
    #expect(try run(line).value(of: .format()) == String(word))
  }

  @Test func `means the default verb where none is given`() throws {
    #expect(try run("").verb == "status")
    #expect(try run("-a").has(.all))
    #expect(try run("-q", .plain).verb == "")
  }

  @Test(
    arguments: [
      ("--help", nil), ("-h", nil), ("help", nil), ("get --help", "get"), ("help get", "get"),
      ("--help get", "get"), ("get -h x y z", "get"), ("-qh get", "get"), ("help --help", nil),
    ] as [(String, String?)])
  func `shows help however it is asked for`(line: String, verb: String?) throws {
    let request = try parse(line)
    #expect(Program.sample.helpText(request) == Program.sample.help(for: verb))
  }

  @Test func `shows the version`() throws {
    #expect(try parse("--version") == .version)
    #expect(try parse("--version", .plain) == .version)
    #expect(Program.sample.versionText == "tool 1.2\n")
  }

  @Test(arguments: [
    ("gte x", "unknown verb 'gte'; did you mean 'get'?", "tool --help"),
    ("zzzzz", "unknown verb 'zzzzz'", "tool --help"),
    ("help gte", "unknown verb 'gte'; did you mean 'get'?", "tool --help"),
    ("help get x", "'help' takes one VERB", "tool --help"),
    ("get", "'get' needs a PATH", "tool get --help"),
    ("get x y", "'get' takes no further argument: 'y'", "tool get --help"),
    ("status y", "'status' takes no argument: 'y'", "tool status --help"),
    ("apply a b", "'apply' takes no further argument: 'b'", "tool apply --help"),
    (
      "get x --outptu json", "unknown option '--outptu'; did you mean '--output'?",
      "tool get --help"
    ),
    ("get x --out json", "unknown option '--out'", "tool get --help"),
    ("get x -z", "unknown option '-z'", "tool get --help"),
    ("get x --all", "'get' has no option '--all'", "tool get --help"),
    ("-a get x", "'get' has no option '--all'", "tool get --help"),
    ("get x --quiet=1", "option '--quiet' takes no value", "tool get --help"),
    ("get x -o", "option '-o' needs a FORMAT", "tool get --help"),
    ("get x --output", "option '--output' needs a FORMAT", "tool get --help"),
    (
      "get x --output=jsn",
      "option '--output' must be text or json, not 'jsn'; did you mean 'json'?",
      "tool get --help"
    ),
    (
      "draw --format old", "option '--format' must be svg or dot, not 'old'", "tool draw --help"
    ),
    (
      "--format dot count", "option '--format' must be new or old, not 'dot'", "tool count --help"
    ),
    ("get --version=1 x", "option '--version' takes no value", "tool get --help"),
  ])
  func `says what is wrong and where to read more`(line: String, message: String, command: String) {
    let error = #expect(throws: UsageError.self) { try parse(line) }
    #expect(error?.message == message)
    #expect(error?.hint == "Try '\(command)'")
  }

  @Test func `tells a program without verbs from its arguments`() {
    let error = #expect(throws: UsageError.self) { try parse("x", .plain) }
    #expect(error?.description == "'daemon' takes no argument: 'x'\nTry 'daemon --help'")
  }
}

extension UsageError {
  static var unexpected: any Error { Unexpected() }
  private struct Unexpected: Error {}
}

extension Program {
  func helpText(_ request: Request) -> String? {
    guard case .help(let verb) = request else { return nil }
    return help(for: verb)
  }
}
