import SettledValues

extension BinaryOperator {
  /// The truth of `left op right` for the comparisons.
  @inline(__always)
  func compared(
    _ left: Value, _ right: Value, _ frame: inout Frame
  ) throws(Failure) -> Bool {
    switch self {
    case .equal: return try left.equals(right, &frame)
    case .notEqual: return try !left.equals(right, &frame)
    default: break
    }
    if case (.int(let a), .int(let b)) = (left, right) { return holds(a < b ? -1 : a == b ? 0 : 1) }
    return try ordered(left, right, &frame)
  }

  /// The truth of a comparison of integers; nil for `in`.
  @inline(__always)
  func compared(_ a: Int64, _ b: Int64) -> Bool? {
    switch self {
    case .equal: a == b
    case .notEqual: a != b
    case .less: a < b
    case .lessOrEqual: a <= b
    case .greater: a > b
    case .greaterOrEqual: a >= b
    default: nil
    }
  }

  @inline(never)
  private func ordered(
    _ left: Value, _ right: Value, _ frame: inout Frame
  ) throws(Failure) -> Bool {
    let order: Int
    switch (left, right) {
    case (.string(let a), .string(let b)):
      try frame.charge(bytes: min(a.utf8.count, b.utf8.count))
      order = a.precedesByBytes(b) ? -1 : a.hasSameBytes(as: b) ? 0 : 1
    case (.bytes(let a), .bytes(let b)):
      try frame.charge(bytes: min(a.count, b.count))
      order = a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
    case (.bool(let a), .bool(let b)): order = (a ? 1 : 0) - (b ? 1 : 0)
    case (.timestamp(let a), .timestamp(let b)): order = a < b ? -1 : a == b ? 0 : 1
    case (.duration(let a), .duration(let b)): order = a < b ? -1 : a == b ? 0 : 1
    default:
      guard let a = Number(left), let b = Number(right) else {
        throw mismatch(left.typeName, right.typeName)
      }
      guard let numeric = a.compared(to: b) else { return false }
      order = numeric
    }
    return holds(order)
  }

  @inline(__always)
  private func holds(_ order: Int) -> Bool {
    switch self {
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    default: order >= 0
    }
  }
}

extension Operand {
  /// `value in self`: an element of a list, a key of a map.
  func contains(_ value: Value, _ frame: inout Frame) throws(Failure) -> Bool {
    switch self {
    case .value(.list(let list)):
      for element in list {
        try frame.charge(steps: 1)
        if try element.equals(value, &frame) { return true }
      }
      return false
    case .value(.map(let map)): return map.entry(value) != nil
    case .container(let container) where container.isList:
      return try Operand.value(whole()).contains(value, &frame)
    case .container(let container):
      guard case .string(let key) = value else { return false }
      return container.hasMember(key)
    default: throw Failure("'in' needs a list or map, not \(typePhrase(typeName))")
    }
  }
}
