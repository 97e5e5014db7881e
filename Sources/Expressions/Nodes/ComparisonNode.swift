import SettledValues

/// A comparison of two operands: `a < b`.
final class ComparisonNode: Node {
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
    if let literal, case .int(let number) = a, let truth = symbol.compared(number, literal) {
      return .bool(truth)
    }
    let b = try right.value(&frame)
    do {
      return .bool(try symbol.compared(a, b, &frame))
    } catch {
      throw error.blaming([(left, a), (right, b)], at: symbolRange)
    }
  }
}

/// `a in b`, which reads only the keys of a map.
final class ContainmentNode: Node {
  let range: SourceRange
  private let element: any Node
  private let whole: any Node

  init(_ element: any Node, in whole: any Node, at range: SourceRange) {
    self.element = element
    self.whole = whole
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    let element = try element.value(&frame)
    let whole = try whole.operand(&frame)
    do {
      return .bool(try whole.contains(element, &frame))
    } catch {
      let blamed: Value? = if case .value(let value) = whole { value } else { nil }
      throw error.blaming([(self.whole, blamed)], at: self.whole.range)
    }
  }
}
