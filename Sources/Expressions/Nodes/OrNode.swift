import SettledValues

/// `optional.orValue(other)` and `optional.or(other)`.
final class OrNode: Node {
  let range: SourceRange
  private let target: any Node
  private let other: any Node
  /// Whether the other is an optional too.
  private let isFlat: Bool

  init(_ target: any Node, _ other: any Node, isFlat: Bool, at range: SourceRange) {
    self.target = target
    self.other = other
    self.isFlat = isFlat
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    try operand(&frame).whole()
  }

  func operand(_ frame: inout Frame) throws(Failure) -> Operand {
    try frame.charge(steps: 1)
    let first = try target.operand(&frame)
    do {
      if let content = try first.content(isFlat ? "or" : "orValue") {
        return isFlat ? first : content
      }
    } catch {
      throw error.placed(at: range)
    }
    let second = try other.operand(&frame)
    guard isFlat else { return second }
    do {
      _ = try second.content("or")
    } catch {
      throw error.placed(at: other.range)
    }
    return second
  }
}
