public import SettledValues

extension Interface {
  /// The first parameter that is missing, unknown or of a wrong type, or nil where all is right.
  public func firstFault(in parameters: ValueMap, of fields: [Field]) -> String? {
    var known = 0
    for field in fields {
      guard let value = parameters[field.name] else {
        if case .optional = field.type { continue }
        return field.name
      }
      guard takes(value, as: field.type) else { return field.name }
      known += 1
    }
    guard known < parameters.count else { return nil }
    return parameters.keys.lazy.compactMap(\.text).first { key in
      !fields.contains { $0.name.hasSameBytes(as: key) }
    }
  }

  private func takes(_ value: Value, as type: FieldType) -> Bool {
    switch (type, value) {
    case (.object, _), (.bool, .bool), (.int, .int), (.string, .string), (.optional, .null): true
    case (.float, .double), (.float, .int), (.float, .uint): true
    case (.enumeration(let names), .string(let name)): names.contains { $0.hasSameBytes(as: name) }
    case (.optional(let inner), _): takes(value, as: inner)
    case (.array(let inner), .list(let elements)): elements.allSatisfy { takes($0, as: inner) }
    case (.dictionary(let inner), .map(let map)): map.values.allSatisfy { takes($0, as: inner) }
    case (.structure(let fields), .map(let map)): firstFault(in: map, of: fields) == nil
    case (.named(let name), _):
      types.first { $0.name == name }.map { takes(value, as: $0.type) } ?? false
    default: false
    }
  }
}
