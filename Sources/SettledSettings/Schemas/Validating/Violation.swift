internal import SettledValues

/// What a value does not keep.
enum Rule {
  case type, constant, choice, never
  case minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
  case minLength, maxLength, pattern, format
  case minItems, maxItems, unique(first: Int, second: Int)
  case contains(found: Int)
  case minProperties, maxProperties
  /// A property, by its number, that must be there.
  case required(Int)
  /// A property that must be there because another is.
  case dependent(Int, of: Int)
  /// An entry or element that nothing allows.
  case unknown
  case name
  /// None of `anyOf` or `oneOf`.
  case noChoice(isOne: Bool)
  /// Several of `oneOf`.
  case manyChoices(first: Int, second: Int)
  case not
  /// A pattern that asks for more work than allowed.
  case patternLimit
}

extension Rule {
  /// Whether the value has another type than asked.
  var isOfType: Bool {
    switch self {
    case .type, .noChoice: true
    default: false
    }
  }

  /// Whether the key is what is wrong.
  var isOfKey: Bool {
    switch self {
    case .unknown, .name: true
    default: false
    }
  }
}

/// A place where a value does not keep its schema.
struct RawViolation<Node: BitwiseCopyable> {
  var rule: Rule
  var schema: Int32
  var node: Node
  var path: Path
}
