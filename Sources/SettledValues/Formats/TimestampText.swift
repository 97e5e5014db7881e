extension Timestamp: CustomStringConvertible {
  private static let daySeconds: Int64 = 86_400

  /// The instant as RFC 3339 writes it, in UTC: `2026-01-31T12:00:00.5Z`.
  public var description: String {
    let ofDay = ((seconds % Self.daySeconds) + Self.daySeconds) % Self.daySeconds
    let date = Self.civil(days: (seconds - ofDay) / Self.daySeconds)
    let clock = [ofDay / 3600, ofDay / 60 % 60, ofDay % 60].map { Self.padded($0, 2) }
    let fraction = Value.decimals(of: Int64(nanoseconds), digits: 9)
    let month = "\(Self.padded(date.year, 4))-\(Self.padded(date.month, 2))"
    return "\(month)-\(Self.padded(date.day, 2))T\(clock.joined(separator: ":"))\(fraction)Z"
  }

  /// Creates an instant from the text of RFC 3339, with any offset and up to nine decimals; nil
  /// where it is none, or is a leap second.
  public init?(_ text: String) {
    var rest = Substring(text).utf8
    guard let year = Self.number(4, from: &rest), Self.take("-", from: &rest),
      let month = Self.number(2, from: &rest), Self.take("-", from: &rest),
      let day = Self.number(2, from: &rest), Self.take("T", from: &rest),
      let hour = Self.number(2, from: &rest), Self.take(":", from: &rest),
      let minute = Self.number(2, from: &rest), Self.take(":", from: &rest),
      let second = Self.number(2, from: &rest), let fraction = Self.fraction(from: &rest),
      let offset = Self.offset(from: &rest), rest.isEmpty,
      year > 0, hour < 24, minute < 60, second < 60
    else { return nil }
    let days = Self.days(year: year, month: month, day: day)
    guard Self.civil(days: days) == (year, month, day) else { return nil }
    seconds = days * Self.daySeconds + hour * 3600 + minute * 60 + second - offset
    nanoseconds = fraction
  }

  private static func take(_ letter: Unicode.Scalar, from rest: inout Substring.UTF8View) -> Bool {
    guard rest.first == UInt8(ascii: letter) else { return false }
    rest = rest.dropFirst()
    return true
  }

  private static func number(_ width: Int, from rest: inout Substring.UTF8View) -> Int64? {
    let digits = rest.prefix(width)
    guard digits.count == width, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
      return nil
    }
    rest = rest.dropFirst(width)
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  /// The decimals as nanoseconds, 0 where there are none; nil where there is nothing after the
  /// point or too much.
  private static func fraction(from rest: inout Substring.UTF8View) -> Int32? {
    guard take(".", from: &rest) else { return 0 }
    let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
    guard (1...9).contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    let number = digits.reduce(Int32(0)) { $0 * 10 + Int32($1 - 0x30) }
    return (digits.count..<9).reduce(number) { number, _ in number * 10 }
  }

  /// The offset from UTC in seconds.
  private static func offset(from rest: inout Substring.UTF8View) -> Int64? {
    if take("Z", from: &rest) { return 0 }
    let isNegative = rest.first == UInt8(ascii: "-")
    guard take("-", from: &rest) || take("+", from: &rest), let hours = number(2, from: &rest),
      take(":", from: &rest), let minutes = number(2, from: &rest), hours < 24, minutes < 60
    else { return nil }
    return (isNegative ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  /// The date that is `days` after 1970-01-01 in the proleptic Gregorian calendar.
  ///
  /// Years start in March here, so that the leap day is their last (Howard Hinnant,
  /// "chrono-compatible low-level date algorithms").
  private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// The days from 1970-01-01 to a date, the reverse of `civil(days:)`; a date that is in no
  /// calendar gives the days to another.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
