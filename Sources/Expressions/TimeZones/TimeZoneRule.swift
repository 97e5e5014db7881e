/// A rule for the offset in all years, as POSIX writes it in `TZ`: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct TimeZoneRule: Sendable {
  /// The day and time of a change.
  private struct Change {
    enum Day {
      /// The day of the year from 1, without February 29th.
      case julian(Int64)
      /// The day of the year from 0.
      case zeroBased(Int64)
      /// A weekday of a week of a month; week 5 is the last.
      case weekday(month: Int64, week: Int64, weekday: Int64)
    }
    var day: Day
    /// Seconds after midnight.
    var time: Int64
  }

  private var standard: Int64
  private var summer: (offset: Int64, start: Change, end: Change)?

  /// Reads a rule; nil where it is not one.
  init?(_ text: String) {
    var reader = RuleReader(text)
    guard reader.skipName(), let offset = reader.time() else { return nil }
    standard = -offset
    guard !reader.isAtEnd else { return }
    guard reader.skipName() else { return nil }
    let summerOffset = reader.isAt(",") ? standard + 3600 : -(reader.time() ?? 0)
    guard let start = Self.change(&reader), let end = Self.change(&reader), reader.isAtEnd else {
      return nil
    }
    summer = (summerOffset, start, end)
  }

  /// The offset at an instant, in seconds east of UTC.
  func offset(at seconds: Int64) -> Int64 {
    guard let summer else { return standard }
    let year = CivilDate(daysSinceEpoch: (seconds + standard).flooredQuotient(by: 86_400)).year
    let start = Self.instant(of: summer.start, in: year) - standard
    let end = Self.instant(of: summer.end, in: year) - summer.offset
    let isSummer =
      start < end ? seconds >= start && seconds < end : seconds >= start || seconds < end
    return isSummer ? summer.offset : standard
  }

  private static func change(_ reader: inout RuleReader) -> Change? {
    guard reader.skip(",") else { return nil }
    let day: Change.Day
    if reader.skip("M") {
      guard let month = reader.number(), reader.skip("."), let week = reader.number(),
        reader.skip("."), let weekday = reader.number(), (1...12).contains(month)
      else { return nil }
      day = .weekday(month: month, week: week, weekday: weekday)
    } else {
      let isJulian = reader.skip("J")
      guard let number = reader.number() else { return nil }
      day = isJulian ? .julian(number) : .zeroBased(number)
    }
    guard reader.skip("/") else { return Change(day: day, time: 7200) }
    return reader.time().map { Change(day: day, time: $0) }
  }

  /// The seconds since 1970 of a change, as if its local time were UTC.
  private static func instant(of change: Change, in year: Int64) -> Int64 {
    let days: Int64
    let newYear = CivilDate(year: year, month: 1, day: 1).daysSinceEpoch
    switch change.day {
    case .julian(let day): days = newYear + day - 1 + (CivilDate.isLeap(year) && day > 59 ? 1 : 0)
    case .zeroBased(let day): days = newYear + day
    case .weekday(let month, let week, let weekday):
      let first = CivilDate(year: year, month: month, day: 1).daysSinceEpoch
      let skipped = (weekday - (first + 4)).flooredRemainder(by: 7)
      var day = skipped + (week - 1) * 7
      if day >= CivilDate.length(ofMonth: month, in: year) { day -= 7 }
      days = first + day
    }
    return days * 86_400 + change.time
  }
}

/// Reads the parts of a POSIX rule.
private struct RuleReader {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) { rest = Array(text.utf8)[...] }

  var isAtEnd: Bool { rest.isEmpty }

  func isAt(_ character: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: character) }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard isAt(character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Skips letters, or anything in `<...>`.
  mutating func skipName() -> Bool {
    if skip("<") {
      rest = rest.drop { $0 != UInt8(ascii: ">") }
      return skip(">")
    }
    let letters = rest.prefix { Lexer.startsName($0) }
    rest = rest.dropFirst(letters.count)
    return !letters.isEmpty
  }

  mutating func number() -> Int64? {
    let digits = rest.prefix(while: Lexer.isDigit).prefix(4)
    rest = rest.dropFirst(digits.count)
    return digits.isEmpty ? nil : digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }

  /// `[+-]hh[:mm[:ss]]` in seconds.
  mutating func time() -> Int64? {
    let isNegative = isAt("-")
    if isNegative || isAt("+") { rest = rest.dropFirst() }
    guard let hours = number() else { return nil }
    let minutes = skip(":") ? number() ?? 0 : 0
    let seconds = skip(":") ? number() ?? 0 : 0
    return (hours * 3600 + minutes * 60 + seconds) * (isNegative ? -1 : 1)
  }
}
