import SettledValues

/// The functions over timestamps and durations.
let timeFunctions: [Function] = [
  field("getFullYear", "Gives the year.", "2026") { $0.date.year },
  field("getMonth", "Gives the month, from 0.", "0") { $0.date.month - 1 },
  field("getDate", "Gives the day of the month, from 1.", "31") { $0.date.day },
  field("getDayOfMonth", "Gives the day of the month, from 0.", "30") { $0.date.day - 1 },
  field("getDayOfWeek", "Gives the day of the week, 0 for Sunday.", "6") { $0.dayOfWeek },
  field("getDayOfYear", "Gives the day of the year, from 0.", "30") { $0.dayOfYear },
  field("getHours", "Gives the hour; of a duration, all its hours.", "12", per: 3600) {
    $0.secondOfDay / 3600
  },
  field("getMinutes", "Gives the minute; of a duration, all its minutes.", "0", per: 60) {
    $0.secondOfDay / 60 % 60
  },
  field("getSeconds", "Gives the second; of a duration, all its seconds.", "0", per: 1) {
    $0.secondOfDay % 60
  },
  Function(
    "getMilliseconds", .receiver, 0...1, "timestamp.getMilliseconds(zone) -> int",
    "Gives the milliseconds past the second, also of a duration.",
    ["duration('1.5s').getMilliseconds()": "500"],
    .variadic { values, _ throws(Failure) in
      if case .duration(let duration) = values[0], values.count == 1 {
        return .int(duration.nanoseconds / 1_000_000 % 1000)
      }
      let local = try LocalTime(values, "getMilliseconds")
      return .int(Int64(local.nanoseconds) / 1_000_000)
    }),
]

/// A function that reads a part of a timestamp, in a time zone if one is given; of a duration it
/// gives the whole number of units of `unit` seconds.
private func field(
  _ name: String, _ summary: String, _ result: String, per unit: Int64? = nil,
  _ body: @escaping @Sendable (LocalTime) -> Int64
) -> Function {
  Function(
    name, .receiver, 0...1, "timestamp.\(name)(zone) -> int", summary,
    ["timestamp('2026-01-31T12:00:00Z').\(name)()": result],
    .variadic { values, _ throws(Failure) in
      if case .duration(let duration) = values[0], let unit, values.count == 1 {
        return .int(duration.nanoseconds / 1_000_000_000 / unit)
      }
      return .int(body(try LocalTime(values, name)))
    })
}

/// The parts of an instant in a time zone.
private struct LocalTime {
  let days: Int64
  let secondOfDay: Int64
  let nanoseconds: Int32

  init(_ values: [Value], _ function: String) throws(Failure) {
    guard case .timestamp(let instant) = values[0] else { throw .overload(function, values[0]) }
    var seconds = instant.seconds
    if values.count > 1 {
      guard case .string(let zone) = values[1] else { throw .overload(function, values[1]) }
      seconds += try TimeZone.named(zone).offset(at: instant.seconds)
    }
    days = seconds.flooredQuotient(by: 86_400)
    secondOfDay = seconds.flooredRemainder(by: 86_400)
    nanoseconds = instant.nanoseconds
  }

  var date: CivilDate { CivilDate(daysSinceEpoch: days) }

  /// 1970-01-01 was a Thursday.
  var dayOfWeek: Int64 { (days + 4).flooredRemainder(by: 7) }

  var dayOfYear: Int64 {
    days - CivilDate(year: date.year, month: 1, day: 1).daysSinceEpoch
  }
}
