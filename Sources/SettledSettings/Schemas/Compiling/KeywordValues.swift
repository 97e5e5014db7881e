internal import SettledValues
internal import SettledYAML

/// Readers of the values that keywords have.
extension SchemaCompiler {
  /// A whole number of at least 0, `2.0` too.
  mutating func count(_ keyword: String, _ keywords: SchemaKeywords) -> Int? {
    guard let node = keywords[keyword] else { return nil }
    if let number = JSONNumber(Self.value(node)), number.isInteger, number.double >= 0 {
      return if case .int(let count) = number { Int(count) } else { .max }
    }
    return refuse(node, "'\(keyword)' must be a whole number of at least 0")
  }

  /// A number.
  mutating func number(_ keyword: String, _ keywords: SchemaKeywords) -> JSONNumber? {
    guard let node = keywords[keyword] else { return nil }
    if let number = JSONNumber(Self.value(node)), number.double.isFinite { return number }
    return refuse(node, "'\(keyword)' must be a number")
  }

  /// A truth value.
  mutating func flag(_ keyword: String, _ keywords: SchemaKeywords) -> Bool {
    guard let node = keywords[keyword] else { return false }
    if case .bool(let flag) = Self.value(node) { return flag }
    let nothing: Bool? = refuse(node, "'\(keyword)' must be true or false")
    return nothing ?? false
  }

  /// Text.
  mutating func text(_ keyword: String, _ keywords: SchemaKeywords) -> String? {
    guard let node = keywords[keyword] else { return nil }
    if case .string(let text) = Self.value(node) { return text }
    return refuse(node, "'\(keyword)' must be text")
  }

  /// The number of a schema.
  mutating func schema(_ keyword: String, _ keywords: SchemaKeywords) -> Int32? {
    keywords[keyword].map { schema($0) }
  }

  /// The numbers of a list of schemas, which is not empty.
  mutating func schemas(_ keyword: String, _ keywords: SchemaKeywords) -> TableRange? {
    guard let node = keywords[keyword] else { return nil }
    guard node.kind == .list, node.count > 0 else {
      return refuse(node, "'\(keyword)' must be a list of schemas, and not empty")
    }
    return refer(to: node.elements.map { schema($0) })
  }

  /// The entries of a map.
  mutating func entries(
    _ keyword: String, _ keywords: SchemaKeywords, of things: String = "schemas"
  ) -> [YAMLNode.Entry]? {
    guard let node = keywords[keyword] else { return nil }
    guard node.kind == .map else {
      return refuse(node, "'\(keyword)' must be a map of names and \(things)")
    }
    return node.entries
  }

  /// Names, each once.
  mutating func names(_ keyword: String, _ node: YAMLNode) -> [String] {
    guard node.kind == .list, node.elements.allSatisfy({ $0.kind == .scalar }) else {
      let nothing: [String]? = refuse(node, "'\(keyword)' must be a list of names")
      return nothing ?? []
    }
    return node.elements.map(\.text)
  }

  /// Keeps numbers in a row.
  mutating func refer(to numbers: [Int32]) -> TableRange {
    let start = Int32(truncatingIfNeeded: tables.references.count)
    tables.references += numbers
    return TableRange(start: start, count: Int32(truncatingIfNeeded: numbers.count))
  }

  private mutating func refuse<Answer>(_ node: YAMLNode, _ message: String) -> Answer? {
    faults.append(node.fault(message))
    return nil
  }

  /// The value of a node, with numbers that are too large for settings as schemas may have them.
  static func value(_ node: YAMLNode) -> Value {
    switch node.kind {
    case .list: return .list(node.elements.map { Self.value($0) })
    case .map: return .map(ValueMap(node.entries.map { (.string($0.key), Self.value($0.value)) }))
    case .scalar: break
    }
    let value = node.value()
    guard case .string(let text) = value, node.style == .plain, node.isLargeInteger else {
      return value
    }
    if let whole = UInt64(text) { return .uint(whole) }
    return Double(text).map { .double($0) } ?? value
  }
}
