import SettledValues

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

  init(_ first: any Node, _ terms: [Term], at range: SourceRange) {
    self.first = first
    self.terms = terms
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    var result = try first.value(&frame)
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

/// Comparisons in a row: mostly one.
final class ComparisonNode: Node {
  let range: SourceRange
  private let first: any Node
  private let terms: [ArithmeticNode.Term]

  init(_ first: any Node, _ terms: [ArithmeticNode.Term], at range: SourceRange) {
    self.first = first
    self.terms = terms
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    var result: Value?
    for term in terms {
      if term.symbol == .contained {
        result = .bool(try contains(term, result, &frame))
        continue
      }
      let left = if let result { result } else { try first.value(&frame) }
      let right = try term.operand.value(&frame)
      do {
        result = .bool(try term.symbol.compared(left, right, &frame))
      } catch {
        throw error.blaming([(first, left), (term.operand, right)], at: term.range)
      }
    }
    return result ?? .null
  }

  /// `left in right`, which reads only the keys of a map.
  private func contains(
    _ term: ArithmeticNode.Term, _ left: Value?, _ frame: inout Frame
  ) throws(Failure) -> Bool {
    let left = if let left { left } else { try first.value(&frame) }
    let right = try term.operand.operand(&frame)
    do {
      return try right.contains(left, &frame)
    } catch {
      throw error.blaming([(term.operand, nil)], at: term.range)
    }
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

extension Failure {
  /// The same failure at `range`, with the setting among `operands` that is likely to be wrong.
  func blaming(
    _ operands: [(node: any Node, value: Value?)], at range: SourceRange
  ) -> Failure {
    guard !isLimit, let blamed = operands.first(where: { $0.node.path != nil }),
      let spelling = blamed.node.spelling, let value = blamed.value
    else { return placed(at: range) }
    return adding("'\(spelling)' is \(value.typePhrase)", path: blamed.node.path, at: range)
  }
}
