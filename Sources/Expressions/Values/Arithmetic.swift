import SettledValues

extension BinaryOperator {
  /// The result of `left op right` for `+ - * / %`.
  @inline(__always)
  func applied(
    _ left: consuming Value, _ right: Value, _ frame: inout Frame
  ) throws(Failure) -> Value {
    switch (left, right) {
    case (.int(let a), .int(let b)): return .int(try integers(a, b))
    case (.double(let a), .double(let b)): return .double(try doubles(a, b))
    case (.string(let a), .string(let b)) where self == .add:
      return .string(try concatenated(a, b, &frame))
    default: return try appliedRarely(left, right, &frame)
    }
  }

  /// Overflow and division by zero are failures for every kind of integer.
  @inline(__always)
  func integers<Number: FixedWidthInteger>(
    _ a: Number, _ b: Number
  ) throws(Failure) -> Number {
    let outcome: (partialValue: Number, overflow: Bool)
    switch self {
    case .add: outcome = a.addingReportingOverflow(b)
    case .subtract: outcome = a.subtractingReportingOverflow(b)
    case .multiply: outcome = a.multipliedReportingOverflow(by: b)
    case .divide:
      guard b != 0 else { throw Failure("division by zero") }
      outcome = a.dividedReportingOverflow(by: b)
    default:
      guard b != 0 else { throw Failure("division by zero") }
      outcome = a.remainderReportingOverflow(dividingBy: b)
    }
    guard !outcome.overflow else { throw Failure("the result of '\(rawValue)' is out of range") }
    return outcome.partialValue
  }

  private func doubles(_ a: Double, _ b: Double) throws(Failure) -> Double {
    switch self {
    case .add: return a + b
    case .subtract: return a - b
    case .multiply: return a * b
    case .divide: return a / b
    default: throw mismatch("double", "double")
    }
  }

  private func concatenated(
    _ a: String, _ b: String, _ frame: inout Frame
  ) throws(Failure) -> String {
    try frame.charge(size: a.utf8.count + b.utf8.count)
    return a + b
  }

  @inline(never)
  private func appliedRarely(
    _ left: Value, _ right: Value, _ frame: inout Frame
  ) throws(Failure) -> Value {
    switch (left, right, self) {
    case (.uint(let a), .uint(let b), _): return .uint(try integers(a, b))
    case (.bytes(let a), .bytes(let b), .add):
      try frame.charge(size: a.count + b.count)
      return .bytes(a + b)
    case (.list(let a), .list(let b), .add):
      try frame.charge(elements: a.count + b.count)
      return .list(a + b)
    case (.timestamp(let a), .duration(let b), .add), (.duration(let b), .timestamp(let a), .add):
      return .timestamp(try a.advanced(by: b))
    case (.duration(let a), .duration(let b), .add): return .duration(try a.checked(adding: b))
    case (.timestamp(let a), .timestamp(let b), .subtract):
      return .duration(try a.distance(from: b))
    case (.timestamp(let a), .duration(let b), .subtract):
      return .timestamp(try a.advanced(by: .zero - b))
    case (.duration(let a), .duration(let b), .subtract):
      return .duration(try a.checked(adding: .zero - b))
    default: throw mismatch(left.typeName, right.typeName)
    }
  }

  /// The failure that an operator has no meaning for two types.
  func mismatch(_ left: String, _ right: String) -> Failure {
    Failure("'\(rawValue)' cannot take \(typePhrase(left)) and \(typePhrase(right))")
  }
}
