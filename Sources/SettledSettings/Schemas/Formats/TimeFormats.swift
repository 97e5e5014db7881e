/// Dates and times of RFC 3339, section 5.6, and durations of its appendix A.
extension FormatText {
  mutating func takeDateTime() -> Bool {
    takeDate() && take("T", or: "t") && takeTime()
  }

  mutating func takeDate() -> Bool {
    guard let year = takeNumber(digits: 4), take("-"), let month = takeNumber(digits: 2), take("-"),
      let day = takeNumber(digits: 2), (1...12).contains(month)
    else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return day >= 1 && day <= days[month - 1]
  }

  mutating func takeTime() -> Bool {
    guard let hour = takeNumber(digits: 2), take(":"), let minute = takeNumber(digits: 2),
      take(":"),
      let second = takeNumber(digits: 2), hour < 24, minute < 60, second <= 60
    else { return false }
    if take("."), takeAll(\.isASCIIDigit) == 0 { return false }
    guard let offset = takeOffset() else { return false }
    // A leap second comes at the end of a day in UTC.
    let minutes = ((hour * 60 + minute - offset) % 1440 + 1440) % 1440
    return second < 60 || minutes == 1439
  }

  /// The minutes east of UTC.
  private mutating func takeOffset() -> Int? {
    if take("Z", or: "z") { return 0 }
    let isWest = next == UInt8(ascii: "-")
    guard take("+", or: "-"), let hour = takeNumber(digits: 2), take(":"),
      let minute = takeNumber(digits: 2), hour < 24, minute < 60
    else { return nil }
    return (hour * 60 + minute) * (isWest ? -1 : 1)
  }

  mutating func takeDuration() -> Bool {
    guard take("P") else { return false }
    let start = position
    if takeAll(\.isASCIIDigit) > 0, take("W") { return true }
    back(to: start)
    guard let days = takeParts("YMD") else { return false }
    guard take("T") else { return days > 0 }
    return (takeParts("HMS") ?? 0) > 0
  }

  /// Takes numbers with units, which follow each other without a gap; tells how many.
  private mutating func takeParts(_ units: String) -> Int? {
    var rest = units.unicodeScalars[...]
    var count = 0
    while next?.isASCIIDigit == true {
      _ = takeAll(\.isASCIIDigit)
      guard let unit = next, let found = rest.firstIndex(of: Unicode.Scalar(unit)) else {
        return nil
      }
      if count > 0, found != rest.startIndex { return nil }
      _ = take(rest[found])
      rest = rest[rest.index(after: found)...]
      count += 1
    }
    return count
  }
}
