import SettledValues

/// Reads an expression from its tokens.
struct Parser {
  private var lexer: Lexer
  private(set) var token: Token
  /// Where the token before is.
  private var previous: SourceRange?
  private let limits: ExpressionLimits
  private var depth = 0

  /// Reads the one expression that `lexer` gives.
  static func expression(
    _ lexer: Lexer, limits: ExpressionLimits
  ) throws(ExpressionError) -> (syntax: Syntax, end: Int) {
    guard lexer.bytes.count - lexer.position <= limits.source || lexer.isInTemplate else {
      throw ExpressionError(
        .limit, "the expression is longer than \(limits.source) bytes",
        at: lexer.position..<lexer.position + 1)
    }
    var parser = try Parser(lexer, limits: limits)
    let syntax = try parser.parseExpression()
    guard parser.token.kind == .end else { throw parser.unexpected() }
    return (syntax, Int(parser.token.range.start))
  }

  private init(_ lexer: Lexer, limits: ExpressionLimits) throws(ExpressionError) {
    self.lexer = lexer
    self.limits = limits
    token = try self.lexer.next()
  }

  mutating func advance() throws(ExpressionError) {
    previous = token.range
    token = try lexer.next()
    guard token.range.end <= lexer.start + limits.source else {
      throw ExpressionError(
        .limit, "the expression is longer than \(limits.source) bytes", at: token.range.offsets)
    }
  }

  mutating func expect(_ symbol: Token.Symbol) throws(ExpressionError) {
    guard token.is(symbol) else { throw unexpected("'\(symbol.rawValue)'") }
    try advance()
  }

  mutating func accept(_ symbol: Token.Symbol) throws(ExpressionError) -> Bool {
    guard token.is(symbol) else { return false }
    try advance()
    return true
  }

  func text(_ range: SourceRange) -> String { lexer.text(range) }

  /// Whether the expression stands in a tag of a template.
  var isInTemplate: Bool { lexer.isInTemplate }

  func fault(_ message: String, at range: SourceRange, hint: String? = nil) -> ExpressionError {
    ExpressionError(.syntax, message, at: range.offsets, hint: hint)
  }

  /// The error that the current token does not belong here.
  func unexpected(_ wanted: String? = nil) -> ExpressionError {
    let found = token.kind == .end ? "the end" : "'\(text(token.range).prefix(40))'"
    let message = wanted.map { "expected \($0), not \(found)" } ?? "unexpected \(found)"
    let hints = [
      "and": "write '&&' for and", "or": "write '||' for or", "not": "write '!' for not",
      "is": "compare with '=='", "if": "write 'condition ? value : other'",
    ]
    // Of 'not x' the name is the one that is too much.
    let word = previous.map(text) == "not" ? "not" : text(token.range)
    return fault(message, at: token.range, hint: hints[word])
  }

  /// Refuses what is nested `levels` deeper than here, if that is too deep.
  func checkDepth(adding levels: Int) throws(ExpressionError) {
    guard depth + levels <= limits.depth else {
      throw ExpressionError(
        .limit, "the expression is nested deeper than \(limits.depth) levels",
        at: token.range.offsets)
    }
  }

  /// Runs `body` one level deeper.
  mutating func nested<Outcome>(
    _ body: (inout Parser) throws(ExpressionError) -> Outcome
  ) throws(ExpressionError) -> Outcome {
    try checkDepth(adding: 1)
    depth += 1
    let outcome = try body(&self)
    depth -= 1
    return outcome
  }

  /// Reads `Expr = ConditionalOr ["?" ConditionalOr ":" Expr]`.
  mutating func parseExpression() throws(ExpressionError) -> Syntax {
    var branches: [(condition: Syntax, result: Syntax)] = []
    var last = try parseOperators()
    while try accept(.question) {
      let result = try parseOperators()
      try expect(.colon)
      branches.append((last, result))
      last = try parseOperators()
    }
    guard let first = branches.first else { return last }
    let range = first.condition.range.through(last.range)
    return Syntax(kind: .conditional(branches, last), range: range)
  }

  /// Reads `Unary = Member | "!" {"!"} Member | "-" {"-"} Member`.
  mutating func parseUnary() throws(ExpressionError) -> Syntax {
    let start = token.range
    if try accept(.not) {
      let operand = try nested { parser throws(ExpressionError) in try parser.parseUnary() }
      return Syntax(kind: .not(operand), range: start.through(operand.range))
    }
    guard try accept(.minus) else { return try parseMember() }
    if let literal = try parseNegativeNumber(from: start) {
      return try parseSteps(after: literal)
    }
    let operand = try nested { parser throws(ExpressionError) in try parser.parseUnary() }
    return Syntax(kind: .negation(operand), range: start.through(operand.range))
  }

  /// A number right after a minus: the sign belongs to the literal.
  private mutating func parseNegativeNumber(
    from start: SourceRange
  ) throws(ExpressionError) -> Syntax? {
    let value: Value
    switch token.kind {
    case .literal(.int(let magnitude)): value = .int(-magnitude)
    case .literal(.double(let magnitude)): value = .double(-magnitude)
    case .minimumMagnitude: value = .int(.min)
    default: return nil
    }
    let range = start.through(token.range)
    try advance()
    return Syntax(kind: .literal(value), range: range)
  }
}
