import SettledValues

/// Splits the bytes of an expression into tokens (cel-spec, `langdef.md`, "Syntax").
struct Lexer {
  let bytes: [UInt8]
  var position: Int
  /// Whether the expression stands in a template: `}}`, `%}` and their signed forms end it, and
  /// there are no comments, which would swallow them.
  let isInTemplate: Bool
  /// Where the expression starts.
  let start: Int
  /// The number of brackets that are open; inside them nothing ends a tag.
  private var openBrackets = 0

  init(_ bytes: [UInt8], from position: Int = 0, isInTemplate: Bool = false) {
    self.bytes = bytes
    self.position = position
    start = position
    self.isInTemplate = isInTemplate
  }

  /// The byte `offset` after the next, or 0 past the end.
  func peek(_ offset: Int = 0) -> UInt8 {
    position + offset < bytes.count ? bytes[position + offset] : 0
  }

  /// The next token.
  mutating func next() throws(ExpressionError) -> Token {
    skipBlanks()
    let start = position
    guard position < bytes.count, !(isInTemplate && openBrackets == 0 && isAtTagEnd) else {
      return Token(kind: .end, range: SourceRange(start, start))
    }
    let byte = bytes[position]
    let kind: Token.Kind
    if Self.startsName(byte) {
      kind = try readNameOrString()
    } else if Self.isDigit(byte) || (byte == UInt8(ascii: ".") && Self.isDigit(peek(1))) {
      kind = try readNumber()
    } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      kind = .literal(try readString(isRaw: false, isBytes: false, from: start))
    } else if byte == UInt8(ascii: "`") {
      kind = .quotedName(try readQuotedName())
    } else {
      kind = .symbol(try readSymbol())
    }
    return Token(kind: kind, range: SourceRange(start, position))
  }

  /// The text of a token.
  func text(_ range: SourceRange) -> String {
    String(decoding: bytes[range.offsets], as: UTF8.self)
  }

  /// An error at the bytes from `start` to the current position.
  func failure(_ message: String, from start: Int, hint: String? = nil) -> ExpressionError {
    ExpressionError(.syntax, message, at: start..<max(start, position), hint: hint)
  }

  private mutating func skipBlanks() {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), 0x09, 0x0A, 0x0C, 0x0D: position += 1
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/") && !isInTemplate:
        while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D {
          position += 1
        }
      default: return
      }
    }
  }

  /// Whether `}}`, `%}`, or one of them after a sign, stands here.
  private var isAtTagEnd: Bool {
    var offset = 0
    if peek() == UInt8(ascii: "-") || peek() == UInt8(ascii: "+") { offset = 1 }
    guard peek(offset + 1) == UInt8(ascii: "}") else { return false }
    return peek(offset) == UInt8(ascii: "%") || (peek(offset) == UInt8(ascii: "}"))
  }

  private mutating func readNameOrString() throws(ExpressionError) -> Token.Kind {
    let start = position
    if let prefix = stringPrefix() {
      position += prefix.length
      return .literal(
        try readString(isRaw: prefix.isRaw, isBytes: prefix.isBytes, from: start))
    }
    while position < bytes.count, Self.continuesName(bytes[position]) { position += 1 }
    switch text(SourceRange(start, position)) {
    case "true": return .literal(.bool(true))
    case "false": return .literal(.bool(false))
    case "null": return .literal(.null)
    default: return .name
    }
  }

  /// The letters before a quote: `r`, `b`, or both.
  private func stringPrefix() -> (length: Int, isRaw: Bool, isBytes: Bool)? {
    var isRaw = false
    var isBytes = false
    for length in 0..<3 {
      switch peek(length) | 0x20 {
      case UInt8(ascii: "r") where !isRaw: isRaw = true
      case UInt8(ascii: "b") where !isBytes: isBytes = true
      default:
        let isQuote = peek(length) == UInt8(ascii: "\"") || peek(length) == UInt8(ascii: "'")
        return isQuote && length > 0 ? (length, isRaw, isBytes) : nil
      }
    }
    return nil
  }

  private mutating func readQuotedName() throws(ExpressionError) -> String {
    let start = position
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "`") {
      guard Self.continuesName(bytes[position]) || "-./ ".utf8.contains(bytes[position]) else {
        position += 1
        throw failure("a name in backquotes holds letters, digits and '_-./ ' only", from: start)
      }
      position += 1
    }
    guard position < bytes.count, position > start + 1 else {
      throw failure("a name in backquotes has no end", from: start)
    }
    position += 1
    return text(SourceRange(start + 1, position - 1))
  }

  private mutating func readSymbol() throws(ExpressionError) -> Token.Symbol {
    let start = position
    if position + 1 < bytes.count,
      let symbol = Token.Symbol(rawValue: text(SourceRange(start, start + 2)))
    {
      position += 2
      return symbol
    }
    position += 1
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let symbol = Token.Symbol(rawValue: text) else {
      while position < bytes.count, bytes[position] & 0xC0 == 0x80 { position += 1 }
      let found = self.text(SourceRange(start, position))
      throw failure("unexpected '\(found)'", from: start, hint: Self.hint(for: found))
    }
    switch symbol {
    case .leftParenthesis, .leftBracket, .leftBrace: openBrackets += 1
    case .rightParenthesis, .rightBracket, .rightBrace: openBrackets -= 1
    default: break
    }
    return symbol
  }

  private static func hint(for text: String) -> String? {
    switch text {
    case "=": "write '==' to compare"
    case "&": "write '&&' for and"
    case "|": "write '||' for or; there are no filters, call a function instead"
    default: nil
    }
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  static func startsName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  static func continuesName(_ byte: UInt8) -> Bool {
    startsName(byte) || isDigit(byte)
  }
}
