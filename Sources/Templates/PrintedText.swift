import Expressions
import SettledValues

extension ScopedExpression {
  /// The text that `{{ }}` prints: of a string, number or truth value.
  func printedText(_ frame: inout Frame) throws(Failure) -> String {
    let value = try value(&frame)
    guard let text = value.printedText else { throw unprintable(value) }
    return text
  }

  /// The failure that a value has no text of its own.
  func unprintable(_ value: Value) -> Failure {
    let name = spelling.map { "'\($0)'" } ?? "the value"
    return Failure(
      "\(name) is \(value.typePhrase), which '{{ }}' does not print", at: range,
      hint: "write json() around it", path: path)
  }
}

extension Value {
  /// The text of a string, number or truth value; nil for others.
  var printedText: String? {
    switch self {
    case .string, .bool, .int, .uint, .double: text
    default: nil
    }
  }
}
