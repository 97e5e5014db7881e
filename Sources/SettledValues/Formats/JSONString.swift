extension JSONReader {
  /// Reads a string, whose opening quote comes next.
  mutating func readString() throws(JSONError) -> Value {
    position += 1
    let start = position
    skipPlain()
    if take(UInt8(ascii: "\"")) {
      return .string(String(decoding: bytes[start..<position - 1], as: UTF8.self))
    }
    return try readEscaped(from: start)
  }

  /// Goes to the next quote, backslash or control character.
  private mutating func skipPlain() {
    while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
      position += 1
    }
  }

  private mutating func readEscaped(from start: Int) throws(JSONError) -> Value {
    var text = Array(bytes[start..<position])
    var isText = true
    while !take(UInt8(ascii: "\"")) {
      guard take(UInt8(ascii: "\\")) else { throw fault("control character in a string") }
      isText = try readEscape(into: &text) && isText
      let plain = position
      skipPlain()
      text.append(contentsOf: bytes[plain..<position])
    }
    return isText ? .string(String(decoding: text, as: UTF8.self)) : .bytes(text)
  }

  /// Reads what follows a backslash and tells whether it was text.
  private mutating func readEscape(into text: inout [UInt8]) throws(JSONError) -> Bool {
    let start = position - 1
    let letter = next
    let plain: UInt8
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain = letter ?? 0
    case UInt8(ascii: "b"): plain = 0x08
    case UInt8(ascii: "f"): plain = 0x0C
    case UInt8(ascii: "n"): plain = 0x0A
    case UInt8(ascii: "r"): plain = 0x0D
    case UInt8(ascii: "t"): plain = 0x09
    case UInt8(ascii: "u"):
      position += 1
      return try readCodeUnit(at: start, into: &text)
    default: throw fault("unknown escape sequence")
    }
    position += 1
    text.append(plain)
    return true
  }

  private mutating func readCodeUnit(
    at start: Int, into text: inout [UInt8]
  ) throws(JSONError) -> Bool {
    let unit = try readHexadecimal()
    if let scalar = Unicode.Scalar(unit) {
      text.append(contentsOf: UTF8.encode(scalar) ?? .init())
      return true
    }
    if UTF16.isLeadSurrogate(unit), let scalar = try readTrail(of: unit) {
      text.append(contentsOf: UTF8.encode(scalar) ?? .init())
      return true
    }
    guard loneSurrogates == .bytes else { throw fault("surrogate without its partner", at: start) }
    if (0xDC80...0xDCFF).contains(unit) {
      text.append(UInt8(truncatingIfNeeded: unit))
    } else {
      let bits = UInt8(truncatingIfNeeded: unit >> 6) & 0x3F
      text += [0xED, 0x80 | bits, 0x80 | UInt8(unit & 0x3F)]
    }
    return false
  }

  /// Reads the second half of a pair, if that is what comes next.
  private mutating func readTrail(of lead: UInt16) throws(JSONError) -> Unicode.Scalar? {
    let start = position
    guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      position = start
      return nil
    }
    let trail = try readHexadecimal()
    guard UTF16.isTrailSurrogate(trail) else {
      position = start
      return nil
    }
    return Unicode.Scalar(0x10000 + (UInt32(lead & 0x3FF) << 10) + UInt32(trail & 0x3FF))
  }

  private mutating func readHexadecimal() throws(JSONError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Self.hexadecimal(byte) else {
        throw fault("expected four hexadecimal digits")
      }
      value = value << 4 | digit
      position += 1
    }
    return value
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
