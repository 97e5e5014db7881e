import SettledValues

extension Timestamp {
  /// The seconds of 0001-01-01T00:00:00Z and of 9999-12-31T23:59:59Z.
  private static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// Creates an instant, refusing one outside the years 1 to 9999.
  init(checkedSeconds seconds: Int64, nanoseconds: Int32 = 0) throws(Failure) {
    guard Self.range.contains(seconds) else { throw Failure("the timestamp is out of range") }
    self.init(seconds: seconds, nanoseconds: nanoseconds)
  }

  /// The instant `duration` later.
  func advanced(by duration: Duration) throws(Failure) -> Timestamp {
    let total =
      Int128(seconds) * 1_000_000_000 + Int128(nanoseconds) + Int128(duration.nanoseconds)
    var (whole, rest) = total.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest < 0 { (whole, rest) = (whole - 1, rest + 1_000_000_000) }
    return try Timestamp(checkedSeconds: Int64(whole), nanoseconds: Int32(rest))
  }

  /// The time from `earlier` to this instant.
  func distance(from earlier: Timestamp) throws(Failure) -> Duration {
    let difference = Int128(seconds) - Int128(earlier.seconds)
    return try Duration(
      checkedNanoseconds: difference * 1_000_000_000
        + Int128(nanoseconds) - Int128(earlier.nanoseconds))
  }

  /// Reads an instant in RFC 3339.
  init(reading text: String) throws(Failure) {
    var reader = TimestampReader(Array(text.utf8)[...])
    guard let parts = reader.read() else {
      throw Failure(
        "'\(text.prefix(60))' is not a timestamp", hint: "write it like '2026-01-31T12:00:00Z'")
    }
    try self.init(checkedSeconds: parts.seconds, nanoseconds: parts.nanoseconds)
  }
}

/// Reads the parts of an RFC 3339 timestamp.
private struct TimestampReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func read() -> (seconds: Int64, nanoseconds: Int32)? {
    guard let year = number(digits: 4), skip("-"), let month = number(digits: 2), skip("-"),
      let day = number(digits: 2), skip("Tt"), let hour = number(digits: 2), skip(":"),
      let minute = number(digits: 2), skip(":"), let second = number(digits: 2),
      let nanoseconds = fraction(), let offset = offset(), rest.isEmpty,
      (1...12).contains(month), hour < 24, minute < 60, second < 60,
      (1...CivilDate.length(ofMonth: month, in: year)).contains(day)
    else { return nil }
    let days = CivilDate(year: year, month: month, day: day).daysSinceEpoch
    return (days * 86_400 + hour * 3600 + minute * 60 + second - offset, nanoseconds)
  }

  private mutating func number(digits: Int) -> Int64? {
    let text = rest.prefix(digits)
    guard text.count == digits, text.allSatisfy(Lexer.isDigit) else { return nil }
    rest = rest.dropFirst(digits)
    return text.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }

  private mutating func skip(_ wanted: String) -> Bool {
    guard let byte = rest.first, wanted.utf8.contains(byte) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Up to nine decimals as nanoseconds; 0 where there are none.
  private mutating func fraction() -> Int32? {
    guard skip(".") else { return 0 }
    let digits = rest.prefix(while: Lexer.isDigit)
    rest = rest.dropFirst(digits.count)
    guard (1...9).contains(digits.count) else { return nil }
    var value: Int32 = 0
    for position in 0..<9 {
      let digit = position < digits.count ? digits[digits.startIndex + position] : UInt8(ascii: "0")
      value = value * 10 + Int32(digit - UInt8(ascii: "0"))
    }
    return value
  }

  /// The offset from UTC in seconds.
  private mutating func offset() -> Int64? {
    if skip("Zz") { return 0 }
    let isNegative = rest.first == UInt8(ascii: "-")
    guard skip("+-"), let hours = number(digits: 2), skip(":"), let minutes = number(digits: 2),
      hours < 24, minutes < 60
    else { return nil }
    return (hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
  }
}
