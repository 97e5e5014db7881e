/// Writes integers without making a string of them first.
enum Decimal {
  /// The length of `Int64.min` with its sign.
  private static let longest = 20

  /// Appends the decimal digits of `number`.
  static func append(_ number: Int64, to output: inout [UInt8]) {
    // On the stack, and appended in one piece: digit by digit was a tenth of a loop's time.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longest) { digits in
      var start = longest
      var magnitude = number.magnitude
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude % 10)
        magnitude /= 10
      } while magnitude > 0
      if number < 0 {
        start -= 1
        digits[start] = UInt8(ascii: "-")
      }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }
}
