import SettledValues

extension Lexer {
  /// Reads a number: decimal or hexadecimal, `u` for unsigned, a point or exponent for double.
  mutating func readNumber() throws(ExpressionError) -> Token.Kind {
    let start = position
    if peek() == UInt8(ascii: "0"), peek(1) | 0x20 == UInt8(ascii: "x") {
      position += 2
      let digits = position
      skip { Self.isHexadecimal($0) }
      return try integer(digits: digits, radix: 16, from: start)
    }
    skip(Self.isDigit)
    guard skipFraction() else { return try integer(digits: start, radix: 10, from: start) }
    try checkNumberEnd(from: start)
    let text = text(SourceRange(start, position))
    guard let value = Double(text), value.isFinite else {
      throw failure("the number '\(text)' is out of range", from: start)
    }
    return .literal(.double(value))
  }

  /// Skips `.5`, `e10`, `.5e10`; tells whether there was one of them.
  private mutating func skipFraction() -> Bool {
    var found = false
    if peek() == UInt8(ascii: "."), Self.isDigit(peek(1)) {
      found = true
      position += 1
      skip(Self.isDigit)
    }
    if peek() | 0x20 == UInt8(ascii: "e") {
      let hasSign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
      if Self.isDigit(peek(hasSign ? 2 : 1)) {
        found = true
        position += hasSign ? 2 : 1
        skip(Self.isDigit)
      }
    }
    return found
  }

  private mutating func integer(
    digits: Int, radix: Int, from start: Int
  ) throws(ExpressionError) -> Token.Kind {
    let text = text(SourceRange(digits, position))
    let isUnsigned = peek() | 0x20 == UInt8(ascii: "u")
    if isUnsigned { position += 1 }
    try checkNumberEnd(from: start)
    guard let magnitude = UInt64(text, radix: radix) else {
      let reason = text.isEmpty ? "has no digits" : "is out of range"
      throw failure(
        "the number '\(self.text(SourceRange(start, position)))' \(reason)", from: start)
    }
    if isUnsigned { return .literal(.uint(magnitude)) }
    if let value = Int64(exactly: magnitude) { return .literal(.int(value)) }
    guard magnitude == UInt64(Int64.max) + 1 else {
      throw failure("the number '\(text)' is out of range", from: start)
    }
    return .minimumMagnitude
  }

  private func checkNumberEnd(from start: Int) throws(ExpressionError) {
    guard position < bytes.count, Self.continuesName(bytes[position]) else { return }
    var end = self
    end.skip(Self.continuesName)
    let text = text(SourceRange(start, end.position))
    throw end.failure("'\(text)' is not a number", from: start)
  }

  private mutating func skip(_ isWanted: (UInt8) -> Bool) {
    while position < bytes.count, isWanted(bytes[position]) { position += 1 }
  }

  static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }
}
