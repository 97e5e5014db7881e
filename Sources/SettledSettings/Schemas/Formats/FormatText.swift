internal import SettledPatterns

/// Text that is read piece by piece to see whether it is of a format.
struct FormatText {
  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { position == bytes.count }

  /// The next byte, or nil at the end.
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Takes one of two letters.
  mutating func take(_ character: Unicode.Scalar, or other: Unicode.Scalar) -> Bool {
    take(character) || take(other)
  }

  /// Takes bytes as long as they are in a set; tells how many.
  mutating func takeAll(_ set: (UInt8) -> Bool) -> Int {
    let start = position
    while let byte = next, set(byte) { position += 1 }
    return position - start
  }

  /// Takes a number of exactly so many digits.
  mutating func takeNumber(digits: Int) -> Int? {
    var number = 0
    for _ in 0..<digits {
      guard let byte = next, byte.isASCIIDigit else { return nil }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
      position += 1
    }
    return number
  }

  mutating func back(to position: Int) {
    self.position = position
  }

  /// A UUID (RFC 9562, section 4).
  mutating func takeUUID() -> Bool {
    for (group, digits) in [8, 4, 4, 4, 12].enumerated() {
      if group > 0, !take("-") { return false }
      for _ in 0..<digits {
        guard let byte = next, byte.isASCIIHexDigit else { return false }
        position += 1
      }
    }
    return true
  }

  /// A JSON Pointer (RFC 6901): `~` stands before 0 or 1 only.
  mutating func takeJSONPointer() -> Bool {
    while take("/") {
      while let byte = next, byte != UInt8(ascii: "/") {
        position += 1
        if byte == UInt8(ascii: "~"), !take("0", or: "1") { return false }
      }
    }
    return isAtEnd
  }

  static func isPattern(
    _ bytes: UnsafeBufferPointer<UInt8>, within limits: PatternLimits
  ) -> Bool {
    let source = String(decoding: bytes, as: UTF8.self)
    return (try? Pattern(source, syntax: .ecmaScript, limits: limits)) != nil
  }
}

extension UInt8 {
  var isASCIIDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  var isASCIILetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

  var isASCIIHexDigit: Bool { isASCIIDigit || (self | 0x20) &- UInt8(ascii: "a") < 6 }
}
