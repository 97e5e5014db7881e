public import SettledValues
internal import SettledYAML

/// What a value does not keep of a schema.
public struct Violation: Sendable, Hashable {
  /// Where in the value it is.
  public var path: Path
  /// What is wrong, in words.
  public var message: String
  /// What to do.
  public var hint: String?
  /// Where the schema says so.
  public var schemaPlace: Place
  /// Whether the value has another type than asked.
  var isOfType = false
  /// Whether the key is what is wrong.
  var isOfKey = false
}

extension Schema {
  /// Tells whether a plain value keeps the schema; null is a value like others, and nothing is
  /// filled in.
  public func accepts(_ value: Value) -> Bool {
    var table = ValueTable()
    table.add(value)
    return table.withInstances { accepts(0, in: $0) }
  }

  /// All that a plain value does not keep of the schema.
  public func violations(of value: Value) -> [Violation] {
    guard !accepts(value) else { return [] }
    var table = ValueTable()
    table.add(value)
    return tables.withView { view in
      table.withInstances { instances in
        var validator = Validator(view, instances, limits)
        validator.isCollecting = true
        _ = validator.apply(tables.root, to: 0)
        return violations(of: validator, isSecret: { _ in false })
      }
    }
  }
}
