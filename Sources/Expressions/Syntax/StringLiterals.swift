import SettledValues

extension Lexer {
  /// Reads a string or bytes literal from its opening quote; `start` is where its prefix stands.
  mutating func readString(
    isRaw: Bool, isBytes: Bool, from start: Int
  ) throws(ExpressionError) -> Value {
    let quote = bytes[position]
    let isTriple = peek(1) == quote && peek(2) == quote
    position += isTriple ? 3 : 1
    var content: [UInt8] = []
    while true {
      guard position < bytes.count else { throw failure("a string has no end", from: start) }
      let byte = bytes[position]
      if byte == quote, !isTriple || (peek(1) == quote && peek(2) == quote) { break }
      if !isTriple, byte == 0x0A || byte == 0x0D {
        throw failure(
          "a string has no end on its line", from: start,
          hint: "write three quotes around text of several lines")
      }
      if byte == UInt8(ascii: "\\"), !isRaw {
        try readEscape(into: &content, isBytes: isBytes)
      } else {
        content.append(byte)
        position += 1
      }
    }
    position += isTriple ? 3 : 1
    return isBytes ? .bytes(content) : .string(String(decoding: content, as: UTF8.self))
  }

  private mutating func readEscape(
    into content: inout [UInt8], isBytes: Bool
  ) throws(ExpressionError) {
    let start = position
    position += 2
    let letter = start + 1 < bytes.count ? bytes[start + 1] : 0
    if let plain = Self.plainEscape(letter) {
      content.append(plain)
      return
    }
    let value: UInt32
    switch letter {
    case UInt8(ascii: "x"), UInt8(ascii: "X"): value = try digits(2, radix: 16, from: start)
    case UInt8(ascii: "u") where !isBytes: value = try unicodeEscape(from: start)
    case UInt8(ascii: "U") where !isBytes: value = try digits(8, radix: 16, from: start)
    case UInt8(ascii: "0")...UInt8(ascii: "3"):
      position -= 1
      value = try digits(3, radix: 8, from: start)
    default:
      position = min(position, bytes.count)
      throw failure(
        "'\(text(SourceRange(start, position)))' is not an escape", from: start,
        hint: "write '\\\\' for a backslash, or r'...' for text without escapes")
    }
    if isBytes {
      content.append(UInt8(truncatingIfNeeded: value))
    } else if let scalar = Unicode.Scalar(value) {
      content.append(contentsOf: String(scalar).utf8)
    } else {
      throw failure("'\(text(SourceRange(start, position)))' names no character", from: start)
    }
  }

  /// The byte an escape of one letter stands for.
  private static func plainEscape(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "\""), UInt8(ascii: "'"),
      UInt8(ascii: "`"):
      letter
    case UInt8(ascii: "a"): 0x07
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "v"): 0x0B
    default: nil
    }
  }

  /// `\uXXXX`, or two of them that are a surrogate pair.
  private mutating func unicodeEscape(from start: Int) throws(ExpressionError) -> UInt32 {
    let high = try digits(4, radix: 16, from: start)
    guard (0xD800..<0xDC00).contains(high), peek() == UInt8(ascii: "\\"),
      peek(1) == UInt8(ascii: "u")
    else { return high }
    position += 2
    let low = try digits(4, radix: 16, from: start)
    guard (0xDC00..<0xE000).contains(low) else { return high }
    return 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
  }

  private mutating func digits(
    _ count: Int, radix: Int, from start: Int
  ) throws(ExpressionError) -> UInt32 {
    let end = min(position + count, bytes.count)
    let text = bytes[position..<end]
    position = end
    guard text.count == count, text.allSatisfy(Self.isHexadecimal),
      let value = UInt32(String(decoding: text, as: UTF8.self), radix: radix)
    else { throw failure("an escape needs \(count) digits", from: start) }
    return value
  }
}
