import Expressions
import SettledValues
import TestSupport
import Testing

/// Bad input: every kind of excess is an error that says so, never a crash, a hang or much memory.
@Suite struct LimitTests {
  @Test(
    arguments: [
      String(repeating: "(", count: 50_000), String(repeating: "[", count: 50_000),
      String(repeating: "!", count: 50_000), String(repeating: "-", count: 50_000),
      String(repeating: "f(", count: 20_000), String(repeating: "{1:", count: 20_000),
      "a" + String(repeating: "[0", count: 20_000),
      "a" + String(repeating: ".f()", count: 10_000),
      "1" + String(repeating: "<1", count: 20_000),
      "((((((a" + String(repeating: ".b())", count: 6) + String(repeating: ".c()", count: 8_000),
    ].map(LongText.init))
  func `deep nesting is refused`(source: LongText) throws {
    let error = #expect(throws: ExpressionError.self) { try Expression(source.text) }
    #expect(error?.message == "the expression is nested deeper than 128 levels")
    #expect(error?.kind == .limit)
  }

  @Test func `a hundred thousand parentheses are refused`() throws {
    let error = #expect(throws: ExpressionError.self) {
      try Expression(String(repeating: "(", count: 100_000))
    }
    #expect(error?.message == "the expression is longer than 65536 bytes")
  }

  @Test(arguments: ["1+", "a&&", "a.", "'x'+", "a ? b : "])
  func `an expression of a megabyte is refused`(part: String) throws {
    let source = String(repeating: part, count: 1_000_000 / part.utf8.count) + "a"
    let error = #expect(throws: ExpressionError.self) { try Expression(source) }
    #expect(error?.kind == .limit)
  }

  @Test(arguments: ["1+", "true&&", "false ? 1 : ", "'x'+"])
  func `long chains are no nesting`(part: String) throws {
    let last = part == "true&&" ? "true" : part == "'x'+" ? "'x'" : "1"
    let source = String(repeating: part, count: 65_000 / part.utf8.count) + last
    _ = try Expression(source).evaluate(ValueLookup([:]))
  }

  @Test(arguments: [
    "big.all(a, big.all(b, big.all(c, true)))",
    "big.map(a, big.map(b, b))",
    "big.exists(a, big == [0] + big)",
    "big.exists(a, (long + 'b').matches('^(a+)+$'))",
    "big.exists(a, long.contains('b' + long))",
    "big.exists(a, {'a': big} == {'a': big + [1]})",
  ])
  func `too much work is an error`(source: String) throws {
    let names: [String: Value] = [
      "big": .list(Array(repeating: 1, count: 10_000)),
      "long": .string(String(repeating: "a", count: 100_000)),
    ]
    let error = #expect(throws: ExpressionError.self) {
      try Expression(source).evaluate(ValueLookup(names))
    }
    #expect(error?.kind == .limit)
  }

  @Test(
    arguments: [
      (0..<40).reduce("'0123456789'") { "cel.bind(a\($1), \($0), a\($1) + a\($1))" },
      (0..<40).reduce("[1]") { "cel.bind(a\($1), \($0), a\($1) + a\($1))" },
      (0..<40).reduce("b'1'") { "cel.bind(a\($1), \($0), a\($1) + a\($1))" },
      "'a'.replace('', '\(String(repeating: "x", count: 1000))')"
        + String(repeating: ".replace('x', 'xxxxxxxxxxxxxxxx')", count: 8),
      (0..<20).reduce("[1, 2]") { source, _ in "\(source).map(x, [x, x, x, x])" }
        + ".map(x, json(x)).join().matches('a')",
      "('%.1000f'.format([1.0])).replace('0', '\(String(repeating: "y", count: 30_000))')",
      (0..<20).reduce("[1, 2]") { source, _ in "\(source).map(x, [x, x, x, x])" },
      (0..<20).reduce("[1, 2]") { source, _ in "\(source).map(x, [x, x, x, x])" }
        + ".map(x, '%s'.format([x]))",
    ].map(LongText.init))
  func `too large results are an error`(source: LongText) throws {
    let error = #expect(throws: ExpressionError.self) {
      try Expression(source.text).evaluate(ValueLookup([:]))
    }
    #expect(error?.kind == .limit)
  }

  @Test func `values that names make deep are refused`() throws {
    func nested(_ inner: String) -> String {
      String(repeating: "[", count: 100) + inner + String(repeating: "]", count: 100)
    }
    let step = ".map(x, \(nested("x")))"
    _ = try Expression(nested("1") + step).evaluate(ValueLookup([:]))
    let error = #expect(throws: ExpressionError.self) { try Expression(nested("1") + step + step) }
    #expect(error?.message == "the value is nested deeper than 256 levels")
  }

  @Test func `nothing passes over a limit`() throws {
    var limits = ExpressionLimits()
    limits.steps = 100
    let expression = try Expression(
      "true || [1].all(x, true) || list.map(x, x).size() > 0 || list.exists(x, x > 1)",
      limits: limits)
    #expect(try expression.evaluate(ValueLookup(["list": [1]])) == true)
    let list = Value.list(Array(repeating: 1, count: 1000))
    let guarded = try Expression("list.map(x, x).size() > 0 || true", limits: limits)
    let error = #expect(throws: ExpressionError.self) {
      try guarded.evaluate(ValueLookup(["list": list]))
    }
    #expect(error?.message == "the evaluation takes more than 100 steps")
  }

  @Test func `limits can be set`() throws {
    var limits = ExpressionLimits()
    limits.source = 5
    limits.depth = 1
    limits.size = 40
    #expect(throws: ExpressionError.self) { try Expression("1 + 23", limits: limits) }
    #expect(throws: ExpressionError.self) { try Expression("((1))", limits: limits) }
    let error = #expect(throws: ExpressionError.self) {
      try Expression("[a,1]", limits: limits).evaluate(ValueLookup(["a": 1]))
    }
    #expect(error?.message == "the evaluation builds more than 40 bytes of values")
  }
}
