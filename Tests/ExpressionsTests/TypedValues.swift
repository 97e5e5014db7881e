import Expressions
import SettledValues

extension Value {
  /// The value that the suite writes as `{"int": "1"}`, `{"list": [...]}` and so on.
  init?(typed: Value) {
    guard case .map(let map) = typed, map.count == 1, case .string(let type) = map.keys[0] else {
      return nil
    }
    switch (type, map.values[0]) {
    case ("null", _): self = .null
    case ("bool", let truth): self = truth
    case ("int", .string(let text)): self = .int(Int64(text) ?? 0)
    case ("uint", .string(let text)): self = .uint(UInt64(text) ?? 0)
    case ("double", .string(let text)): self = .double(Double(text) ?? 0)
    case ("string", let text): self = text
    case ("type", .string(let name)): self = .type(name)
    case ("list", .list(let elements)): self = .list(elements.compactMap(Value.init(typed:)))
    case ("map", .list(let entries)): self = .map(ValueMap(entries.compactMap(Self.entry)))
    case ("bytes", .string(let text)): self.init(evaluating: "base64.decode(x)", text)
    case ("timestamp", .string(let text)): self.init(evaluating: "timestamp(x)", text)
    case ("duration", .string(let text)): self.init(evaluating: "duration(x)", text)
    default: return nil
    }
  }

  private static func entry(_ pair: Value) -> (key: Value, value: Value)? {
    guard case .list(let pair) = pair, pair.count == 2, let key = Value(typed: pair[0]),
      let value = Value(typed: pair[1])
    else { return nil }
    return (key, value)
  }

  private init?(evaluating source: String, _ x: String) {
    guard
      let value = try? Expression(source).evaluate(ValueLookup(["x": .string(x)]))
    else { return nil }
    self = value
  }

  /// Whether two values have one type and are equal, maps in any order.
  func isSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.double(let a), .double(let b)): a == b || (a.isNaN && b.isNaN)
    case (.list(let a), .list(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
    case (.map(let a), .map(let b)):
      a.count == b.count
        && zip(a.keys, a.values).allSatisfy { key, value in
          b[key].map { value.isSame(as: $0) } ?? false
        }
    default: self == other
    }
  }
}
