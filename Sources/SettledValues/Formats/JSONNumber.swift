extension JSONReader {
  /// Reads a number: an int where it fits, else a uint, else a double.
  mutating func readNumber() throws(JSONError) -> Value {
    let start = position
    let negative = take(UInt8(ascii: "-"))
    guard let magnitude = try readInteger() else { return try readDouble(from: start) }
    if next == UInt8(ascii: ".") || next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      return try readDouble(from: start)
    }
    if let value = Int64(exactly: magnitude) { return .int(negative ? -value : value) }
    guard negative else { return .uint(magnitude) }
    return magnitude == Int64.min.magnitude ? .int(.min) : try readDouble(from: start)
  }

  /// Reads the digits before the point; nil where they are more than 64 bits hold.
  private mutating func readInteger() throws(JSONError) -> UInt64? {
    let start = position
    var magnitude: UInt64? = 0
    while let digit = nextDigit {
      position += 1
      guard let value = magnitude else { continue }
      let (scaled, tooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = scaled.addingReportingOverflow(UInt64(digit))
      magnitude = tooLarge || overflow ? nil : sum
    }
    guard position > start else { throw fault("expected a digit") }
    if bytes[start] == UInt8(ascii: "0"), position > start + 1 {
      throw fault("leading zero", at: start)
    }
    return magnitude
  }

  private mutating func readDouble(from start: Int) throws(JSONError) -> Value {
    if take(UInt8(ascii: ".")) { try skipDigits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      _ = take(UInt8(ascii: "-")) || take(UInt8(ascii: "+"))
      try skipDigits()
    }
    let digits = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let value = Double(digits), value.isFinite else {
      throw fault("number out of range", at: start)
    }
    return .double(value)
  }

  private mutating func skipDigits() throws(JSONError) {
    guard nextDigit != nil else { throw fault("expected a digit") }
    while nextDigit != nil { position += 1 }
  }

  private var nextDigit: UInt8? {
    guard let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
    return byte - UInt8(ascii: "0")
  }
}
