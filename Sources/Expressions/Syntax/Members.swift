import SettledValues

extension Parser {
  /// Reads `Member = Primary {"." IDENT ["(" [ExprList] ")"] | "[" Expr "]"}`.
  mutating func parseMember() throws(ExpressionError) -> Syntax {
    try parseSteps(after: try parsePrimary())
  }

  /// Reads accesses and calls that follow `base`; accesses in a row become one.
  mutating func parseSteps(after base: Syntax) throws(ExpressionError) -> Syntax {
    var base = base
    var steps: [Syntax.Step] = []
    while true {
      let range = token.range
      if try accept(.dot) {
        let isOptional = try accept(.question)
        let (name, nameRange) = try parseMemberName()
        guard token.is(.leftParenthesis), !isOptional else {
          steps.append(
            Syntax.Step(
              kind: .member(name), isOptional: isOptional, range: range.through(nameRange)))
          continue
        }
        base = try parseCall(name, nameRange, target: Self.access(base, steps))
        steps = []
      } else if try accept(.leftBracket) {
        steps.append(try parseIndex(from: range))
      } else {
        break
      }
    }
    if token.is(.leftBrace), !isInTemplate, Self.access(base, steps).isQualifiedName {
      throw fault("message literals are not supported", at: token.range)
    }
    return Self.access(base, steps)
  }

  private static func access(_ base: Syntax, _ steps: [Syntax.Step]) -> Syntax {
    guard let last = steps.last else { return base }
    return Syntax(kind: .access(base, steps), range: base.range.through(last.range))
  }

  private mutating func parseMemberName() throws(ExpressionError) -> (String, SourceRange) {
    let range = token.range
    let name: String
    switch token.kind {
    case .name: name = text(range)
    case .quotedName(let quoted): name = quoted
    case .literal(.bool), .literal(.null): name = text(range)
    default: throw unexpected("a name after '.'")
    }
    try advance()
    return (name, range)
  }

  private mutating func parseIndex(from start: SourceRange) throws(ExpressionError) -> Syntax.Step {
    let isOptional = try accept(.question)
    let index = try nested { parser throws(ExpressionError) in try parser.parseExpression() }
    let range = start.through(token.range)
    try expect(.rightBracket)
    return Syntax.Step(kind: .index(index), isOptional: isOptional, range: range)
  }

  /// Reads the arguments of a call.
  private mutating func parseCall(
    _ name: String, _ nameRange: SourceRange, target: Syntax?
  ) throws(ExpressionError) -> Syntax {
    try checkDepth(adding: target?.height ?? 0)
    try expect(.leftParenthesis)
    var arguments: [Syntax] = []
    if !token.is(.rightParenthesis) {
      repeat {
        arguments.append(
          try nested { parser throws(ExpressionError) in try parser.parseExpression() })
      } while try accept(.comma)
    }
    let range = (target?.range ?? nameRange).through(token.range)
    try expect(.rightParenthesis)
    let call = Syntax.Call(
      name: name, nameRange: nameRange, target: target, arguments: arguments)
    return Syntax(kind: .call(call), range: range)
  }

  /// Reads `Primary = ["."] IDENT ["(" [ExprList] ")"] | "(" Expr ")" | list | map | literal`.
  private mutating func parsePrimary() throws(ExpressionError) -> Syntax {
    let range = token.range
    switch token.kind {
    case .literal(let value):
      try advance()
      return Syntax(kind: .literal(value), range: range)
    case .name where text(range) != "in": return try parseName(isAbsolute: false, from: range)
    case .symbol(.dot):
      try advance()
      guard token.kind == .name else { throw unexpected("a name after '.'") }
      return try parseName(isAbsolute: true, from: range)
    case .symbol(.leftParenthesis):
      try advance()
      var inner = try nested { parser throws(ExpressionError) in try parser.parseExpression() }
      inner.range = range.through(token.range)
      try expect(.rightParenthesis)
      return inner
    case .symbol(.leftBracket): return try parseList()
    case .symbol(.leftBrace): return try parseMap()
    case .minimumMagnitude:
      throw fault("the number '\(text(range))' is out of range", at: range)
    default: throw unexpected("a value")
    }
  }

  private mutating func parseName(
    isAbsolute: Bool, from start: SourceRange
  ) throws(ExpressionError) -> Syntax {
    let nameRange = token.range
    let name = text(nameRange)
    try advance()
    if token.is(.leftParenthesis) {
      return try parseCall(name, nameRange, target: nil)
    }
    return Syntax(
      kind: .name(name, isAbsolute: isAbsolute), range: start.through(nameRange))
  }

  private mutating func parseList() throws(ExpressionError) -> Syntax {
    let start = token.range
    try advance()
    var elements: [Syntax.Element] = []
    while !token.is(.rightBracket) {
      let isOptional = try accept(.question)
      let value = try nested { parser throws(ExpressionError) in try parser.parseExpression() }
      elements.append(Syntax.Element(value: value, isOptional: isOptional))
      guard try accept(.comma) else { break }
    }
    let range = start.through(token.range)
    try expect(.rightBracket)
    return Syntax(kind: .list(elements), range: range)
  }

  private mutating func parseMap() throws(ExpressionError) -> Syntax {
    let start = token.range
    try advance()
    var entries: [Syntax.Entry] = []
    while !token.is(.rightBrace) {
      let isOptional = try accept(.question)
      let key = try nested { parser throws(ExpressionError) in try parser.parseExpression() }
      try expect(.colon)
      let value = try nested { parser throws(ExpressionError) in try parser.parseExpression() }
      entries.append(Syntax.Entry(key: key, value: value, isOptional: isOptional))
      guard try accept(.comma) else { break }
    }
    let range = start.through(token.range)
    try expect(.rightBrace)
    return Syntax(kind: .map(entries), range: range)
  }
}

extension Syntax {
  /// Whether it is a name or names joined by dots.
  fileprivate var isQualifiedName: Bool {
    switch kind {
    case .name: true
    case .access(let base, let steps):
      base.simpleName != nil
        && steps.allSatisfy {
          if case .member = $0.kind { !$0.isOptional } else { false }
        }
    default: false
    }
  }
}
