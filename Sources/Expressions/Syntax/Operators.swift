/// An operator between two operands, with its precedence.
private struct Operator {
  enum Level: Int, Comparable {
    case or
    case and
    case relation
    case addition
    case multiplication

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  var level: Level
  /// Nil for `&&` and `||`.
  var symbol: BinaryOperator?
  var range: SourceRange
}

extension Parser {
  /// ConditionalOr and all that bind closer, by operator precedence.
  ///
  /// Operators of one level that follow each other are gathered before they are folded, so the
  /// length of a chain is no depth. The levels on the stack only rise.
  mutating func parseOperators() throws(ExpressionError) -> Syntax {
    var operands = [try parseUnary()]
    var operators: [Operator] = []
    while let next = nextOperator() {
      while let top = operators.last, top.level > next.level {
        try fold(top.level, &operands, &operators)
      }
      operators.append(next)
      try advance()
      operands.append(try parseUnary())
    }
    while let top = operators.last { try fold(top.level, &operands, &operators) }
    return operands[0]
  }

  private func nextOperator() -> Operator? {
    if token.kind == .name {
      guard text(token.range) == "in" else { return nil }
      return Operator(level: .relation, symbol: .contained, range: token.range)
    }
    guard case .symbol(let symbol) = token.kind else { return nil }
    let level: Operator.Level
    switch symbol {
    case .or: return Operator(level: .or, symbol: nil, range: token.range)
    case .and: return Operator(level: .and, symbol: nil, range: token.range)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: level = .relation
    case .plus, .minus: level = .addition
    case .star, .slash, .percent: level = .multiplication
    default: return nil
    }
    return Operator(
      level: level, symbol: BinaryOperator(rawValue: symbol.rawValue), range: token.range)
  }

  /// Replaces the operators of `level` on top of the stack, and their operands, by one operand.
  private func fold(
    _ level: Operator.Level, _ operands: inout [Syntax], _ operators: inout [Operator]
  ) throws(ExpressionError) {
    let start = (operators.lastIndex { $0.level != level } ?? -1) + 1
    let folded = operators[start...]
    let parts = Array(operands[(operands.count - folded.count - 1)...])
    let terms = zip(folded, parts.dropFirst()).compactMap { folded, operand in
      folded.symbol.map {
        Syntax.Term(symbol: $0, symbolRange: folded.range, operand: operand)
      }
    }
    let kind: Syntax.Kind
    switch level {
    case .or: kind = .or(parts)
    case .and: kind = .and(parts)
    case .relation:
      // Each compares the truth of those before, so these are nested.
      try checkDepth(adding: terms.count - 1)
      kind = .comparison(parts[0], terms)
    case .addition, .multiplication: kind = .arithmetic(parts[0], terms)
    }
    operators.removeSubrange(start...)
    operands.removeLast(parts.count)
    let range = parts[0].range.through(parts[parts.count - 1].range)
    operands.append(Syntax(kind: kind, range: range))
  }
}
