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
    guard let instant = Timestamp(text) else {
      throw Failure(
        "the text is not a timestamp", hint: "write it like '2026-01-31T12:00:00Z'")
    }
    try self.init(checkedSeconds: instant.seconds, nanoseconds: instant.nanoseconds)
  }
}
