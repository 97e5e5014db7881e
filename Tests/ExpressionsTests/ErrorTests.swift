import Expressions
import SettledValues
import Testing

/// What is said about expressions that cannot be read or have no value.
@Suite struct ErrorTests {
  private let names: [String: Value] = [
    "http": ["port": "abc", "host": "example.org", "workers": 4], "list": [1, 2], "flag": "yes",
  ]

  @Test(arguments: [
    ("1 +", 3..<3, "expected a value, not the end"),
    ("(1", 2..<2, "expected ')', not the end"),
    ("a = 1", 2..<3, "unexpected '='; write '==' to compare"),
    ("a and b", 2..<5, "unexpected 'and'; write '&&' for and"),
    ("not a", 4..<5, "unexpected 'a'; write '!' for not"),
    ("'abc", 0..<4, "a string has no end"),
    (
      "'a\\q'", 2..<4,
      #"'\q' is not an escape; write '\\' for a backslash, or r'...' for text "#
        + "without escapes"
    ),
    ("99999999999999999999", 0..<20, "the number '99999999999999999999' is out of range"),
    ("12abc", 0..<5, "'12abc' is not a number"),
    ("name.upperAsci()", 5..<14, "there is no function 'upperAsci'; did you mean 'upperAscii'?"),
    ("math.cel(1.5)", 5..<8, "there is no function 'math.cel'; did you mean 'math.ceil'?"),
    ("trim(name)", 0..<4, "'trim' is not called like this; write value.trim()"),
    (
      "'a'.substring()", 4..<13,
      "'substring' takes 1 to 2 arguments, not 0; it is called as "
        + "text.substring(start, end) -> string"
    ),
    ("x.matches('(')", 10..<13, "the pattern is not one: missing closing parenthesis"),
    ("x.matches('(?=a)')", 10..<17, "the pattern is not one: look-around is not supported"),
    ("[1].map(1, x)", 8..<9, "the variable of 'map' must be a plain name"),
    ("Point{x: 1}", 5..<6, "message literals are not supported"),
  ])
  func `what is not an expression is refused with its place`(
    source: String, range: Range<Int>, message: String
  ) throws {
    let error = #expect(throws: ExpressionError.self) { try Expression(source) }
    #expect(error?.description == message)
    #expect(error?.range == range)
  }

  @Test(arguments: [
    ("http.prot + 1", 4..<9, "there is no 'prot' in 'http'; did you mean 'port'?"),
    ("nope", 0..<4, "'nope' does not exist"),
    ("http.host.x", 9..<11, "'http.host' is a string and has no members"),
    ("list[2]", 4..<7, "the index 2 is out of range"),
    ("list['a']", 4..<9, "a list index is a whole number, not a string"),
    ("1 / 0", 2..<3, "division by zero"),
    ("int('x')", 0..<8, "the text is not an int"),
    ("flag ? 1 : 2", 0..<4, "'flag' is a string, not a bool"),
  ])
  func `what has no value fails with its place`(
    source: String, range: Range<Int>, message: String
  ) throws {
    let expression = try Expression(source)
    let error = #expect(throws: ExpressionError.self) {
      try expression.evaluate(ValueLookup(names))
    }
    #expect(error?.description == message)
    #expect(error?.range == range)
  }

  @Test(arguments: [
    ("http.port + 1", "http.port", "'+' cannot take a string and an int: 'http.port' is a string"),
    (
      "http.workers * http.host", "http.host",
      "'*' cannot take an int and a string: 'http.host' is a string"
    ),
    ("int(http.port)", "http.port", "the text is not an int: 'http.port' is a string"),
    (
      "math.ceil(http.workers)", "http.workers",
      "'math.ceil' cannot take an int: 'http.workers' is an int"
    ),
    ("http.port < 1", "http.port", "'<' cannot take a string and an int: 'http.port' is a string"),
    ("!flag", "flag", "'flag' is a string, not a bool"),
    ("list.all(x, http.host)", "http.host", "'http.host' is a string, not a bool"),
  ])
  func `a failure names the setting whose value caused it`(
    source: String, path: String, message: String
  ) throws {
    let expression = try Expression(source)
    let error = #expect(throws: ExpressionError.self) {
      try expression.evaluate(ValueLookup(names))
    }
    #expect(error?.description == message)
    #expect(error?.path?.description == path)
  }

  @Test func `an error of a lookup keeps its cause`() throws {
    struct Broken: Error {}
    struct Failing: Lookup {
      func lookUp(_ name: String) throws -> Found? { throw Broken() }
    }
    let expression = try Expression("1 + derived")
    let error = #expect(throws: ExpressionError.self) { try expression.evaluate(Failing()) }
    #expect(error?.cause is Broken)
    #expect(error?.range == 4..<11)
  }
}
