/// Base64 as RFC 4648, section 4, has it.
enum Base64 {
  /// The bytes that `text` stands for, padded or not; nil where it is not base64.
  static func decoded(_ text: String) -> [UInt8]? {
    var bytes = Array(text.utf8)[...]
    if bytes.count % 4 == 0 {
      for _ in 0..<2 where bytes.last == UInt8(ascii: "=") { bytes.removeLast() }
    }
    guard bytes.count % 4 != 1 else { return nil }
    var output: [UInt8] = []
    var bits: UInt32 = 0
    var bitCount = 0
    for byte in bytes {
      guard let digit = value(of: byte) else { return nil }
      bits = bits << 6 | digit
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        output.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
        bits &= (1 << UInt32(bitCount)) - 1
      }
    }
    return output
  }

  private static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
