/// Numbers from their text, without a detour through the locale.
enum Decimal64 {
  /// The integer that `text` writes in digits with an optional sign, or nil where it has too many.
  static func read(_ text: some Collection<UInt8>, radix: Int = 10) -> Int64? {
    var digits = text[...]
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
    guard !digits.isEmpty else { return nil }
    var value: Int64 = 0
    for byte in digits {
      let digit = Self.digit(byte)
      guard digit < radix else { return nil }
      let (product, first) = value.multipliedReportingOverflow(by: Int64(radix))
      let (sum, second) = product.subtractingReportingOverflow(Int64(digit))
      if first || second { return nil }
      value = sum
    }
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  /// The double that `text` writes as a core schema number, or nil where it is too large or small.
  static func double(_ text: some Collection<UInt8>) -> Double? {
    guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
      return nil
    }
    guard value == 0 else { return value }
    let mantissa = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    return mantissa.contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) } ? nil : value
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10
  }

  /// The value of a digit in any base up to 16; 255 for what is none.
  static func digit(_ byte: UInt8) -> Int {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
    default: 255
    }
  }
}
