/// Writes integers without making a string of them first.
enum Decimal {
  /// Appends the decimal digits of `number`.
  static func append(_ number: Int64, to output: inout [UInt8]) {
    if number < 0 { output.append(UInt8(ascii: "-")) }
    var magnitude = number.magnitude
    let start = output.count
    repeat {
      output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude % 10))
      magnitude /= 10
    } while magnitude > 0
    output[start...].reverse()
  }
}
