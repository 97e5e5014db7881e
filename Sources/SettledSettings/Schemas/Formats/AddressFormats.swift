/// Addresses of RFC 2673, section 3.2, and RFC 4291, section 2.2.
extension FormatText {
  mutating func takeIPv4() -> Bool {
    for part in 0..<4 {
      if part > 0, !take(".") { return false }
      let start = position
      let digits = takeAll(\.isASCIIDigit)
      guard (1...3).contains(digits) else { return false }
      back(to: start)
      let isPadded = digits > 1 && next == UInt8(ascii: "0")
      guard let number = takeNumber(digits: digits), number <= 255, !isPadded else { return false }
    }
    return true
  }

  mutating func takeIPv6() -> Bool {
    var (groups, isShortened) = (0, false)
    if take(":") {
      guard take(":") else { return false }
      isShortened = true
    }
    while next?.isASCIIHexDigit == true {
      let start = position
      let digits = takeAll(\.isASCIIHexDigit)
      if next == UInt8(ascii: ".") {
        back(to: start)
        guard takeIPv4() else { return false }
        groups += 2
        break
      }
      guard digits <= 4 else { return false }
      groups += 1
      guard take(":") else { break }
      if take(":") {
        guard !isShortened else { return false }
        isShortened = true
      } else if next?.isASCIIHexDigit != true {
        return false
      }
    }
    return isShortened ? groups < 8 : groups == 8
  }
}
