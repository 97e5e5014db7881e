import Glibc

extension Double {
  /// The shortest text that reads back as the same number, never with an exponent.
  var decimalText: String {
    guard isFinite else { return nonFiniteText }
    let (digits, exponent) = shortestDigits
    let start = sign == .minus ? "-" : ""
    if exponent < 0 {
      return start + "0." + String(repeating: "0", count: -exponent - 1) + digits
    }
    let whole = exponent + 1
    if digits.utf8.count <= whole {
      return start + digits + String(repeating: "0", count: whole - digits.utf8.count)
    }
    return start + digits.prefix(whole) + "." + digits.dropFirst(whole)
  }

  /// The shortest text that reads back as the same number, with an exponent only where it would be
  /// long without one.
  ///
  /// The specification of CEL leaves the text open; like its implementations this writes 1.0 as `1`.
  /// Where they part (`1e+06` or `1000000`), it is what a settings file can hold: the limits are
  /// those of ECMAScript's `Number::toString`.
  var conversionText: String {
    guard isFinite, self != 0 else { return decimalText }
    return (1e-6..<1e21).contains(magnitude) ? decimalText : description
  }

  /// The number with `precision` decimals, halves rounded to even (`%f`).
  func fixedText(_ precision: Int) -> String { formatted("%.*f", precision) }

  /// The number with one digit, `precision` decimals and an exponent (`%e`).
  func scientificText(_ precision: Int) -> String { formatted("%.*e", precision) }

  private func formatted(_ format: String, _ precision: Int) -> String {
    guard isFinite else { return nonFiniteText }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 400 + precision) { buffer in
      let length = withVaList([Int32(precision), self]) {
        vsnprintf(buffer.baseAddress, buffer.count, format, $0)
      }
      let bytes = buffer.prefix(Int(length)).map { UInt8(bitPattern: $0) }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private var nonFiniteText: String {
    isNaN ? "NaN" : sign == .minus ? "-Infinity" : "Infinity"
  }

  /// The digits that tell the number apart from all others, and the power of ten of the first.
  private var shortestDigits: (digits: String, exponent: Int) {
    guard self != 0 else { return ("0", 0) }
    // Swift writes 1.5, 0.001, 1e-05 or 1.5e+16, always with the fewest digits.
    let parts = magnitude.description.split(separator: "e")
    let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let whole = mantissa[0] == "0" ? "" : mantissa[0]
    let fraction = mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1] : ""
    let all = whole + fraction
    let leadingZeros = all.prefix { $0 == "0" }.count
    let power = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    var digits = String(all.dropFirst(leadingZeros))
    while digits.hasSuffix("0") { digits.removeLast() }
    return (digits, whole.count - 1 - leadingZeros + power)
  }
}
