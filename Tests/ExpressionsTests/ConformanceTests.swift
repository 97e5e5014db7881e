import Expressions
import SettledValues
import TestSupport
import Testing

/// The conformance suite of CEL (google/cel-spec), by its own rules: a value must have the same
/// type and be equal; where an error is expected, the expression must be read and then fail.
@Suite struct ConformanceTests {
  @Test(arguments: [
    "basic", "comparisons", "conversions", "fields", "fp_math", "integer_math", "lists", "logic",
    "macros", "namespace", "parse", "plumbing", "string", "timestamps", "string_ext", "math_ext",
    "optionals", "bindings_ext", "encoders_ext", "macros2",
  ])
  func `every case has the value or the error it should`(file: String) throws {
    guard let cases = try Suites.lines(of: "cel/\(file).jsonl") else { return }
    let faults = cases.compactMap { ConformanceCase($0).fault }
    print("cel/\(file): \(cases.count - faults.count)/\(cases.count)")
    #expect(faults == [])
  }
}

private struct ConformanceCase {
  let json: Value

  init(_ json: Value) { self.json = json }

  /// What is wrong with the outcome, or nil.
  var fault: String? {
    guard case .string(let source)? = json["expr"], case .string(let name)? = json["name"] else {
      return "unreadable case"
    }
    let label = "\(name): \(source.prefix(200))"
    let expression: Expression
    do {
      expression = try Expression(source, dialect: dialect)
    } catch {
      return "\(label): not read: \(error)"
    }
    do {
      let value = try expression.evaluate(ValueLookup(bindings))
      guard let expected = json["expect"]?["value"].flatMap(Value.init(typed:)) else {
        return "\(label): gave \(value) instead of an error"
      }
      return value.isSame(as: expected) ? nil : "\(label): gave \(value), not \(expected)"
    } catch {
      return json["expect"]?["error"] == nil ? "\(label): failed: \(error)" : nil
    }
  }

  private var dialect: ExpressionDialect {
    var dialect = ExpressionDialect()
    dialect.refusesUnknownCalls = false
    dialect.resolvesQualifiedNames = true
    if case .string(let container)? = json["container"] { dialect.container = container }
    return dialect
  }

  private var bindings: [String: Value] {
    guard case .map(let map)? = json["bindings"] else { return [:] }
    var bindings: [String: Value] = [:]
    for (key, value) in zip(map.keys, map.values) {
      if case .string(let name) = key { bindings[name] = Value(typed: value) }
    }
    return bindings
  }
}
