/// URIs of RFC 3986, appendix A.
extension FormatText {
  mutating func takeURI(needsScheme: Bool) -> Bool {
    let start = position
    if !takeScheme() {
      if needsScheme { return false }
      back(to: start)
    }
    let isRelative = position == start
    if takeSlashes() {
      guard takeAuthority() else { return false }
      guard isAtEnd || [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains(next)
      else { return false }
    } else if isRelative, !takesRelativeStart() {
      return false
    }
    guard takeCharacters("/:@") else { return false }
    if take("?"), !takeCharacters("/:@?") { return false }
    if take("#"), !takeCharacters("/:@?") { return false }
    return true
  }

  private mutating func takeScheme() -> Bool {
    guard next?.isASCIILetter == true else { return false }
    _ = takeAll { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
    return take(":")
  }

  private mutating func takeSlashes() -> Bool {
    let start = position
    if take("/"), take("/") { return true }
    back(to: start)
    return false
  }

  /// Tells whether the first part of a path without scheme has no colon.
  private mutating func takesRelativeStart() -> Bool {
    let start = position
    defer { back(to: start) }
    return takeCharacters("@") && next != UInt8(ascii: ":")
  }

  private mutating func takeAuthority() -> Bool {
    let start = position
    if !(takeCharacters(":") && take("@")) { back(to: start) }
    if take("[") {
      guard takeLiteral(), take("]") else { return false }
    } else if !takeCharacters("") {
      return false
    }
    if take(":") { _ = takeAll(\.isASCIIDigit) }
    return true
  }

  private mutating func takeLiteral() -> Bool {
    guard take("v", or: "V") else { return takeIPv6() }
    guard takeAll(\.isASCIIHexDigit) > 0, take(".") else { return false }
    return takeAll { Self.isPlain($0) || $0 == UInt8(ascii: ":") } > 0
  }

  /// Takes unreserved characters, sub-delimiters, percent escapes and `others`; false for a broken
  /// escape.
  private mutating func takeCharacters(_ others: StaticString) -> Bool {
    while let byte = next {
      if byte == UInt8(ascii: "%") {
        _ = take("%")
        for _ in 0..<2 {
          guard let digit = next, digit.isASCIIHexDigit else { return false }
          _ = take(Unicode.Scalar(digit))
        }
        continue
      }
      let isOther = UnsafeBufferPointer(start: others.utf8Start, count: others.utf8CodeUnitCount)
        .contains(byte)
      guard Self.isPlain(byte) || isOther else { return true }
      _ = take(Unicode.Scalar(byte))
    }
    return true
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || "-._~!$&'()*+,;=".utf8.contains(byte)
  }
}
