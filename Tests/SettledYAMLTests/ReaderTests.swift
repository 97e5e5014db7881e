import SettledValues
import SettledYAML
import Testing

struct ReaderTests {
  @Test(arguments: [
    ("12", 12), ("-12", -12), ("+12", 12), ("0x1F", 31), ("0o17", 15), ("!!int \"12\"", 12),
    ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min), ("-0", 0),
  ])
  func `an integer is read`(_ text: String, _ expected: Int64) throws {
    #expect(try node(text).int() == expected)
  }

  @Test(arguments: [
    ("0755", "leading zero: 493 in YAML 1.1, 755 in 1.2; write 0o755 or 755"),
    ("08", "leading zero: not octal, and other readers differ; write 8"),
    ("1_000", "underscores are not YAML 1.2; leave them out"),
    ("1:30", "it looks like base 60 of YAML 1.1, which 1.2 does not know"),
    ("0b101", "write 0x and 0o without a sign and in lower case; YAML 1.2 knows no 0b"),
    ("-0x1F", "write 0x and 0o without a sign and in lower case; YAML 1.2 knows no 0b"),
    ("9223372036854775808", "an integer is between -9223372036854775808 and 9223372036854775807"),
    ("\"12\"", "quoted, so a string; remove the quotes"),
    ("12,", "delete the comma behind it"),
  ])
  func `what is no integer is refused with what to write`(_ text: String, _ hint: String) throws {
    let refusal = try #require(throws: Refusal.self) { try node(text).int() }
    #expect(refusal.diagnostics.first?.hint == hint)
    #expect(refusal.diagnostics.first?.message.hasPrefix("expected an integer, found '") == true)
  }

  @Test(arguments: ["1.5", "1e3", "x", "true", "[1]", "{a: 1}", "~", "", ".inf"])
  func `other values are no integers`(_ text: String) throws {
    #expect(throws: Refusal.self) { try node(text).int() }
  }

  @Test(arguments: [
    ("1.5", 1.5), ("1e3", 1000), ("1E+3", 1000), ("12", 12), (".5", 0.5), ("5.", 5), ("+.5", 0.5),
    ("1.10", 1.1), ("!!float 1", 1), ("0x10", 16),
  ])
  func `a number is read`(_ text: String, _ expected: Double) throws {
    #expect(try node(text).double() == expected)
  }

  @Test(arguments: [
    "inf", "nan", "Infinity", "0x1.8p3", ".inf", ".nan", "1e400", "1e-400", "1_0.5", "\"1.5\"",
  ])
  func `what Swift or C would read as a number is refused`(_ text: String) throws {
    #expect(throws: Refusal.self) { try node(text).double() }
  }

  @Test(arguments: [("true", true), ("True", true), ("FALSE", false), ("!!bool \"true\"", true)])
  func `a truth value is read`(_ text: String, _ expected: Bool) throws {
    #expect(try node(text).bool() == expected)
  }

  @Test(arguments: [
    ("yes", "a YAML 1.1 truth value; write true or false"),
    ("N", "a YAML 1.1 truth value; write true or false"),
    ("tRUE", "did you mean true?"),
    ("'true'", "quoted, so a string; remove the quotes"),
  ])
  func `another truth value is refused`(_ text: String, _ hint: String) throws {
    let refusal = try #require(throws: Refusal.self) { try node(text).bool() }
    #expect(refusal.diagnostics.first?.hint == hint)
  }

  @Test(arguments: [
    "1.10", "yes", "08", "2122:22", "58899e0", "0510210600", "2001-12-14", "<<", "=",
    "http://h:80/p", "1e400", "10:00",
  ])
  func `a string is the text as it is written`(_ text: String) throws {
    #expect(try node(text).string() == text)
  }

  @Test func `a string is neither null, nor tagged as something else, nor does it hold NUL`() throws
  {
    for text in ["~", "null", "", "!!int 12", "\"a\\0b\"", "[a]", "{a: b}"] {
      #expect(throws: Refusal.self) { try node(text).string() }
    }
    #expect(try node("!!str ~").string() == "~")
    #expect(try node("''").string().isEmpty)
    #expect(try node("! 12").string() == "12")
  }

  @Test(arguments: [
    ("10s", Duration.seconds(10)), ("500ms", .milliseconds(500)), ("1h30m", .seconds(5400)),
    ("0", .zero), ("2min", .seconds(120)), ("250us", .microseconds(250)), ("1d", .seconds(86_400)),
  ])
  func `a duration is read`(_ text: String, _ expected: Duration) throws {
    #expect(try node(text).duration() == expected)
  }

  @Test(arguments: ["10", "s", "-1s", "1.5s", "10 s", "10x", "~", "9999999999999999999s", "[1s]"])
  func `a duration needs its unit`(_ text: String) throws {
    #expect(throws: Refusal.self) { try node(text).duration() }
  }

  @Test(arguments: [
    ("65536", 65_536), ("64KiB", 65_536), ("64K", 65_536), ("10MB", 10_000_000), ("1G", 1 << 30),
    ("\"512\"", 512),
  ])
  func `a size is read`(_ text: String, _ expected: Int64) throws {
    #expect(try node(text).byteCount() == expected)
  }

  @Test(arguments: ["-1", "1.5G", "10 MB", "9999999999T", "many", "~"])
  func `what is no size is refused`(_ text: String) throws {
    #expect(throws: Refusal.self) { try node(text).byteCount() }
  }

  @Test func `all faults of a list and a map are told`() throws {
    let list = try #require(throws: Refusal.self) {
      try node("[1, x, 2, yes]").list { node throws(Refusal) in try node.int() }
    }
    #expect(list.diagnostics.map(\.place?.column) == [8, 14])
    let map = try node("{a: 1, b: 2}").map { node throws(Refusal) in try node.int() }
    #expect(map.map(\.key) == ["a", "b"])
    #expect(map.map(\.value) == [1, 2])
    let shape = try #require(throws: Refusal.self) {
      try node("[1]").map { node throws(Refusal) in try node.int() }
    }
    #expect(shape.diagnostics.first?.message == "expected a map, found a list")
  }

  @Test func `nothing of a secret is in a message`() throws {
    let document = try YAMLDocument.read(
      Array("pin: hunter2\n".utf8), file: "pin.yaml", isSecret: true)
    let refusal = try #require(throws: Refusal.self) { try document.root?["pin"]?.int() }
    #expect("\(refusal)".contains("hunter2") == false)
    #expect(
      refusal.diagnostics.first?.description
        == "pin.yaml:1:6: error: expected an integer, found other text")
  }

  @Test func `merge keys bring entries, with the place they come from`() throws {
    let text = "base: &b\n  x: 1\n  y: 2\nmine:\n  <<: *b\n  y: 3\n"
    let mine = try #require(
      try YAMLDocument.read(Array(text.utf8), file: "f").root?["mine"])
    #expect(mine.value() == ["x": 1, "y": 3])
    let x = try #require(mine.entries.first)
    #expect(x.keyPlace.description == "f:2:3")
    #expect(x.mergePlace?.description == "f:5:7")
    #expect(x.value.place.description == "f:2:6")
    #expect(mine.entries.last?.mergePlace == nil)
  }

  private func node(_ text: String) throws -> YAMLNode {
    try #require(try YAMLDocument.read(Array("v: \(text)\n".utf8), file: "f").root?["v"])
  }
}
