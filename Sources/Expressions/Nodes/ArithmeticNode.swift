import SettledValues

/// An operator between two operands: `a + b`.
final class BinaryNode: Node {
  let range: SourceRange
  private let symbol: BinaryOperator
  private let left: any Node
  private let right: any Node
  /// The right operand, where it is an integer that is written in the source.
  private let literal: Int64?
  private let symbolRange: SourceRange

  init(_ left: any Node, _ term: ArithmeticNode.Term, at range: SourceRange) {
    self.left = left
    self.range = range
    (symbol, right, symbolRange) = (term.symbol, term.operand, term.range)
    if case .int(let number) = right.constant { literal = number } else { literal = nil }
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    let a = try left.value(&frame)
    do {
      if let literal, case .int(let number) = a {
        return .int(try symbol.integers(number, literal))
      }
      return try symbol.applied(a, right.value(&frame), &frame)
    } catch {
      throw explained(error, a, &frame)
    }
  }

  /// Names the setting whose type does not fit, where it is known.
  @inline(never)
  private func explained(_ failure: Failure, _ a: Value, _ frame: inout Frame) -> Failure {
    let b = failure.hasPlace ? nil : try? right.value(&frame)
    return failure.blaming([(left, a), (right, b)], at: symbolRange)
  }
}

/// Operators of one level in a row: `a + b - c`, `a * b / c`.
final class ArithmeticNode: Node {
  struct Term: Sendable {
    var symbol: BinaryOperator
    var operand: any Node
    var range: SourceRange
  }

  let range: SourceRange
  private let first: any Node
  private let terms: [Term]
  private let operands: [any Node]
  /// Whether all operators are `+`.
  private let isSum: Bool

  init(_ first: any Node, _ terms: [Term], at range: SourceRange) {
    self.first = first
    self.terms = terms
    self.range = range
    operands = terms.map(\.operand)
    isSum = terms.allSatisfy { $0.symbol == .add }
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    var result = try first.value(&frame)
    if isSum, case .string(let text) = result { return try concatenated(text, &frame) }
    for position in terms.indices {
      let right = try terms[position].operand.value(&frame)
      do {
        result = try terms[position].symbol.applied(result, right, &frame)
      } catch {
        throw explained(error, position, result, right)
      }
    }
    return result
  }

  /// Puts texts together at the cost of the length that comes out.
  private func concatenated(_ text: String, _ frame: inout Frame) throws(Failure) -> Value {
    try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: TextBuffer.room) {
      room throws(Failure) in
      var buffer = TextBuffer(room)
      buffer.append(text)
      for position in operands.indices {
        let value = try operands[position].value(&frame)
        guard case .string(let more) = value else { throw mismatch(operands[position], value) }
        // Long texts are counted before they are copied, short ones with the result.
        if more.utf8.count > TextBuffer.room { try frame.charge(size: more.utf8.count) }
        buffer.append(more)
      }
      let joined = buffer.text
      try frame.charge(size: joined.utf8.count)
      return .string(joined)
    }
  }

  @inline(never)
  private func mismatch(_ operand: any Node, _ value: Value) -> Failure {
    BinaryOperator.add.mismatch("string", value.typeName)
      .blaming([(operand, value)], at: operand.range)
  }

  /// Names the setting whose type does not fit, where it is known.
  @inline(never)
  private func explained(
    _ failure: Failure, _ position: Int, _ left: Value, _ right: Value
  ) -> Failure {
    let left = position == 0 ? (first, left) : nil
    return failure.blaming(
      [left, (terms[position].operand, right)].compactMap(\.self), at: terms[position].range)
  }
}

/// The negative of a number: `-a`.
final class NegationNode: Node {
  let range: SourceRange
  private let operand: any Node

  init(_ operand: any Node, at range: SourceRange) {
    self.operand = operand
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    let value = try operand.value(&frame)
    switch value {
    case .int(let number):
      guard number != .min else { throw Failure("the result is out of range", at: range) }
      return .int(-number)
    case .double(let number): return .double(-number)
    default:
      throw Failure("'-' cannot negate \(value.typePhrase)")
        .blaming([(operand, value)], at: range)
    }
  }
}

extension Value {
  fileprivate var isNumber: Bool {
    switch self {
    case .int, .uint, .double: true
    default: false
    }
  }
}

extension Failure {
  /// The same failure at `range`, with the setting among `operands` that is likely to be wrong.
  func blaming(
    _ operands: [(node: any Node, value: Value?)], at range: SourceRange
  ) -> Failure {
    // Most operators are for numbers: what is none is the likelier mistake.
    let settings = operands.filter { $0.node.path != nil }
    let blamed = settings.first { $0.value?.isNumber == false } ?? settings.first
    guard !isLimit, let blamed, let spelling = blamed.node.spelling, let value = blamed.value
    else { return placed(at: range) }
    return adding("'\(spelling)' is \(value.typePhrase)", path: blamed.node.path, at: range)
  }
}
