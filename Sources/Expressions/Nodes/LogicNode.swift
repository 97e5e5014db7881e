import SettledValues

/// `a && b` or `a || b` over any number of operands.
///
/// An operand that decides the result does so whatever the others are, failures included
/// (`langdef.md`, "Logical Operators").
final class LogicNode: Node {
  let range: SourceRange
  private let operands: [any Node]
  /// The truth that decides: false for `&&`, true for `||`.
  private let decisive: Bool

  init(_ operands: [any Node], decisive: Bool, at range: SourceRange) {
    self.operands = operands
    self.decisive = decisive
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    var failure: Failure?
    for operand in operands {
      do {
        if try operand.truth(&frame) == decisive { return .bool(decisive) }
      } catch {
        if error.isLimit { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return .bool(!decisive)
  }
}

/// The negation of a condition: `!a`.
final class NotNode: Node {
  let range: SourceRange
  private let operand: any Node

  init(_ operand: any Node, at range: SourceRange) {
    self.operand = operand
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    .bool(!(try operand.truth(&frame)))
  }
}

/// A choice between results: `a ? b : c ? d : e`.
final class ConditionalNode: Node {
  let range: SourceRange
  private let branches: [(condition: any Node, result: any Node)]
  private let last: any Node

  init(
    _ branches: [(condition: any Node, result: any Node)], _ last: any Node, at range: SourceRange
  ) {
    self.branches = branches
    self.last = last
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    try chosen(&frame).value(&frame)
  }

  func operand(_ frame: inout Frame) throws(Failure) -> Operand {
    try chosen(&frame).operand(&frame)
  }

  private func chosen(_ frame: inout Frame) throws(Failure) -> any Node {
    for branch in branches where try branch.condition.truth(&frame) { return branch.result }
    return last
  }
}
