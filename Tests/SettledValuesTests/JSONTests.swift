import SettledValues
import TestSupport
import Testing

@Suite struct `reading JSON` {
  @Test(
    arguments: [
      ("null", Value.null), (" true ", true), ("false", false), ("0", 0), ("-0", 0), ("-12", -12),
      ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
      ("9223372036854775808", .uint(9_223_372_036_854_775_808)),
      ("18446744073709551615", .uint(.max)), ("18446744073709551616", 18446744073709551616.0),
      ("-9223372036854775809", -9223372036854775809.0), ("1.0", 1.0), ("1e2", 100.0),
      ("-2.5E-3", -0.0025), ("5e-324", .double(.leastNonzeroMagnitude)), ("1e-400", 0.0),
      ("0.1", 0.1), ("\"\"", ""),
      ("\"é\\u00e9\\n\\/\\\\\\\"\"", "éé\n/\\\""), ("\"\\ud83d\\ude00\"", "😀"),
      ("\"\\u0000\"", "\0"),
      ("[]", []), ("[1, [2]]\n", [1, [2]]), ("{}", [:]),
      ("{\"b\":1 ,\t\"a\":{}}", ["b": 1, "a": [:]]),
      ("{\"e\\u0301\":1,\"\\u00e9\":2}", ["e\u{301}": 1, "\u{e9}": 2]),
    ] as [(String, Value)])
  func `takes what RFC 8259 has`(text: String, value: Value) throws {
    #expect(try JSON.read(text) == value)
  }

  @Test(arguments: [
    ("", "1:1: unexpected end"), ("{\"a\":1", "1:7: unexpected end"),
    ("[1,]", "1:4: expected a value"), ("[1 2]", "1:4: expected ',' or ']'"),
    ("{\"a\" 1}", "1:6: expected ':'"), ("{a:1}", "1:2: expected a key in double quotes"),
    ("{\"a\":1,}", "1:8: expected a key in double quotes"),
    ("{\"é\":1,\n \"é\":2}", "2:2: duplicate key"), ("1 2", "1:3: unexpected text after the value"),
    ("tru", "1:1: expected a value"), ("'a'", "1:1: expected a value"),
    ("NaN", "1:1: expected a value"), ("// x\n1", "1:1: expected a value"),
    ("\u{FEFF}1", "1:1: expected a value"), ("01", "1:1: leading zero"),
    ("-", "1:2: unexpected end"), ("+1", "1:1: expected a value"), ("1.", "1:3: unexpected end"),
    ("[1.e1]", "1:4: expected a digit"), (".5", "1:1: expected a value"),
    ("1e", "1:3: unexpected end"), ("1e400", "1:1: number out of range"),
    ("\"a\nb\"", "1:3: control character in a string"), ("\"\\x\"", "1:3: unknown escape sequence"),
    ("\"\\u12g4\"", "1:6: expected four hexadecimal digits"), ("\"abc", "1:5: unexpected end"),
    ("\"\\ud800\"", "1:2: surrogate without its partner"),
    ("\"\\ud800\\u0041\"", "1:2: surrogate without its partner"),
    ("\"\\udc00\\ud800\"", "1:2: surrogate without its partner"),
  ])
  func `refuses anything else with its place`(text: String, fault: String) {
    let error = #expect(throws: JSONError.self) { try JSON.read(text) }
    #expect(error?.description == fault)
  }

  @Test func `refuses bytes that are not UTF-8`() {
    let error = #expect(throws: JSONError.self) { try JSON.read([0x22, 0x61, 0xC3, 0x22]) }
    #expect(error?.description == "1:3: invalid UTF-8")
    #expect(error?.offset == 2)
    #expect(throws: JSONError.self) { try JSON.read([0x22, 0xED, 0xA0, 0x80, 0x22]) }
    #expect(throws: JSONError.self) { try JSON.read([0x22, 0xC0, 0x80, 0x22]) }
  }

  @Test func `keeps its limits`() throws {
    let limits = JSON.Limits(size: 8, depth: 2)
    #expect(try JSON.read("[[1]]", limits: limits) == [[1]])
    let deep = #expect(throws: JSONError.self) { try JSON.read("[[[1]]]", limits: limits) }
    #expect(deep?.description == "1:3: nested deeper than 2")
    let large = #expect(throws: JSONError.self) { try JSON.read("123456789", limits: limits) }
    #expect(large?.reason == "larger than 8 bytes")
    let bomb = String(repeating: "[", count: 1_000_000)
    #expect(throws: JSONError.self) { try JSON.read(bomb) }
  }

  @Test func `reads escaped bytes where asked to`() throws {
    func read(_ text: String) throws -> Value {
      try JSON.read(Array(text.utf8), loneSurrogates: .bytes)
    }
    #expect(try read(#""a\udcff\udc80é""#) == .bytes([0x61, 0xFF, 0x80, 0xC3, 0xA9]))
    #expect(try read(#""\ud83d\ude00""#) == "😀")
    #expect(try read(#""\ud83d\ud83d\ude00""#) == .bytes([0xED, 0xA0, 0xBD] + Array("😀".utf8)))
  }

  @Test func `finds keys in large maps`() throws {
    let entries = (0..<2_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    #expect(try JSON.read("{\(entries)}")["k1999"] == 1999)
    #expect(throws: JSONError.self) { try JSON.read("{\(entries),\"k7\":0}") }
  }
}

@Suite struct `writing JSON` {
  @Test(
    arguments: [
      (.null, "null"), (true, "true"), (-7, "-7"), (.uint(.max), "18446744073709551615"),
      (1.0, "1.0"), (0.1, "0.1"), (1e300, "1e+300"), (-0.0, "-0.0"),
      (.double(.leastNonzeroMagnitude), "5e-324"),
      ("a\"\\\n\u{1}\u{1f}\u{7f}é😀/", #""a\"\\\n\u0001\u001f"# + "\u{7f}é😀/\""), ("", "\"\""),
      ([], "[]"), ([:], "{}"), (["z": 1, "a": [2, nil]], #"{"z":1,"a":[2,null]}"#),
      ([1: "a", true: "b"], #"{"1":"a","true":"b"}"#), (.bytes([]), #""""#),
      (.bytes([1]), #""AQ==""#), (.bytes([1, 2]), #""AQI=""#), (.bytes([1, 2, 0xFF]), #""AQL/""#),
      (.duration(.milliseconds(1500)), #""1.5s""#), (.duration(.milliseconds(-250)), #""-0.25s""#),
      (.duration(.seconds(3600)), #""3600s""#), (.duration(.nanoseconds(1)), #""0.000000001s""#),
      (.timestamp(Timestamp(seconds: 0)), #""1970-01-01T00:00:00Z""#),
      (.timestamp(Timestamp(seconds: -1, nanoseconds: 500_000_000)), #""1969-12-31T23:59:59.5Z""#),
      (.timestamp(Timestamp(seconds: 951_782_400)), #""2000-02-29T00:00:00Z""#),
      (.timestamp(Timestamp(seconds: -62_135_596_800)), #""0001-01-01T00:00:00Z""#),
      (.timestamp(Timestamp(seconds: 253_402_300_799)), #""9999-12-31T23:59:59Z""#),
      (.type("int"), #""int""#),
    ] as [(Value, String)])
  func `writes every kind`(value: Value, text: String) throws {
    #expect(try JSON.text(value) == text)
  }

  @Test func `indents where asked to`() throws {
    let value: Value = ["a": [1, ["b": []]], "c": [:]]
    let text = """
      {
        "a": [
          1,
          {
            "b": []
          }
        ],
        "c": {}
      }
      """
    #expect(try JSON.text(value, indent: 2) == text)
  }

  @Test(
    arguments: [
      (["a": [1, .double(.nan)]], "'a[1]': nan has no JSON"),
      (["a-b": .double(-.infinity)], "'settings[\"a-b\"]': -inf has no JSON"),
      (.optional(nil), "an optional value has no JSON"),
      (["x": [1: 1, "1": 2]], "'x[\"1\"]': two keys are written alike in JSON"),
      ([[]: 1], "a key of type list has no JSON"),
    ] as [(Value, String)])
  func `says what has no JSON`(value: Value, fault: String) {
    let error = #expect(throws: FormatError.self) { try JSON.text(value) }
    #expect(error?.description == fault)
  }

  @Test func `appends to what is there`() throws {
    var output = Array("x".utf8)
    try JSON.write([1], into: &output)
    #expect(String(decoding: output, as: UTF8.self) == "x[1]")
  }

  @Test func `what it writes reads back the same`() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      #expect(try JSON.read(JSON.text(.double(number))) == .double(number))
    }
    let text = String(String.UnicodeScalarView((0..<0xD7FF).compactMap { Unicode.Scalar($0) }))
    #expect(try JSON.read(JSON.text(.string(text))) == .string(text))
  }
}
