import SettledValues

extension Value {
  /// CEL's `==`: numbers are compared across their kinds, maps in any order, NaN equals nothing.
  func equals(_ other: Value, _ frame: inout Frame) throws(Failure) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.bool(let a), .bool(let b)): return a == b
    case (.int(let a), .int(let b)): return a == b
    case (.string(let a), .string(let b)):
      try frame.charge(bytes: min(a.utf8.count, b.utf8.count))
      return a.hasSameBytes(as: b)
    case (.bytes(let a), .bytes(let b)):
      try frame.charge(bytes: min(a.count, b.count))
      return a == b
    case (.timestamp(let a), .timestamp(let b)): return a == b
    case (.duration(let a), .duration(let b)): return a == b
    case (.type(let a), .type(let b)): return a == b
    case (.list(let a), .list(let b)): return try Self.equal(a, b, &frame)
    case (.map(let a), .map(let b)): return try Self.equal(a, b, &frame)
    case (.optional(let a), .optional(let b)): return try Self.equal(a, b, &frame)
    default:
      return Number(self).flatMap { a in Number(other).map { a.compared(to: $0) == 0 } } ?? false
    }
  }

  private static func equal(
    _ a: [Value], _ b: [Value], _ frame: inout Frame
  ) throws(Failure) -> Bool {
    guard a.count == b.count else { return false }
    for position in a.indices {
      try frame.charge(steps: 1)
      guard try a[position].equals(b[position], &frame) else { return false }
    }
    return true
  }

  private static func equal(
    _ a: ValueMap, _ b: ValueMap, _ frame: inout Frame
  ) throws(Failure) -> Bool {
    guard a.count == b.count else { return false }
    for position in a.keys.indices {
      try frame.charge(steps: 1)
      guard let other = b.entry(a.keys[position]),
        try a.values[position].equals(other, &frame)
      else { return false }
    }
    return true
  }

  private static func equal(
    _ a: Value?, _ b: Value?, _ frame: inout Frame
  ) throws(Failure) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return try a.equals(b, &frame)
  }
}

/// A number of any kind, on one line (`langdef.md`, "Numbers").
enum Number {
  case int(Int64)
  case uint(UInt64)
  case double(Double)

  init?(_ value: Value) {
    switch value {
    case .int(let number): self = .int(number)
    case .uint(let number): self = .uint(number)
    case .double(let number): self = .double(number)
    default: return nil
    }
  }

  /// Negative, 0 or positive for less, equal or greater; nil where either is NaN.
  func compared(to other: Number) -> Int? {
    switch (self, other) {
    case (.int(let a), .int(let b)): Self.order(a, b)
    case (.uint(let a), .uint(let b)): Self.order(a, b)
    case (.double(let a), .double(let b)): a.isNaN || b.isNaN ? nil : Self.order(a, b)
    case (.int(let a), .uint(let b)): a < 0 ? -1 : Self.order(UInt64(a), b)
    case (.uint(let a), .int(let b)): b < 0 ? 1 : Self.order(a, UInt64(b))
    case (.double(let a), .int(let b)): Self.order(a, b)
    case (.double(let a), .uint(let b)): Self.order(a, b)
    case (.int(let a), .double(let b)): Self.order(b, a).map { -$0 }
    case (.uint(let a), .double(let b)): Self.order(b, a).map { -$0 }
    }
  }

  private static func order<Same: Comparable>(_ a: Same, _ b: Same) -> Int {
    a < b ? -1 : a == b ? 0 : 1
  }

  /// Compares as doubles, as all implementations of CEL do.
  private static func order(_ a: Double, _ b: some BinaryInteger) -> Int? {
    a.isNaN ? nil : order(a, Double(b))
  }
}
