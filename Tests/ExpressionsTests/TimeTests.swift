import Expressions
import SettledValues
import Testing

/// Time zones, beyond the few instants of the conformance suite.
@Suite struct TimeTests {
  @Test(arguments: [
    // In summer and winter, before the first change of a zone's table and after its last.
    ("2026-01-15T12:00:00Z", "Europe/Berlin", 13), ("2026-07-15T12:00:00Z", "Europe/Berlin", 14),
    ("2026-03-29T00:59:59Z", "Europe/Berlin", 1), ("2026-03-29T01:00:00Z", "Europe/Berlin", 3),
    ("2026-10-25T00:59:59Z", "Europe/Berlin", 2), ("2026-10-25T01:00:00Z", "Europe/Berlin", 2),
    ("2500-01-15T12:00:00Z", "Europe/Berlin", 13), ("2500-07-15T12:00:00Z", "Europe/Berlin", 14),
    ("2500-01-15T12:00:00Z", "Australia/Sydney", 23),
    ("2500-07-15T12:00:00Z", "Australia/Sydney", 22),
    ("2026-07-15T12:00:00Z", "America/New_York", 8), ("2026-07-15T12:00:00Z", "Asia/Kolkata", 17),
    ("2026-07-15T12:00:00Z", "+05:30", 17), ("2026-07-15T12:00:00Z", "-09:30", 2),
    ("2026-07-15T12:00:00Z", "UTC", 12), ("2026-07-15T12:00:00Z", "Etc/GMT+3", 9),
  ])
  func `hours follow the time zone`(instant: String, zone: String, hour: Int64) throws {
    let expression = try Expression("timestamp(t).getHours(zone)")
    let names = ValueLookup(["t": .string(instant), "zone": .string(zone)])
    #expect(try expression.evaluate(names) == .int(hour))
  }

  @Test(arguments: ["Nowhere/City", "../../etc/passwd", "/etc/passwd", "+25:00", "Europe"])
  func `an unknown time zone is an error`(zone: String) throws {
    let expression = try Expression("timestamp(0).getHours(zone)")
    let error = #expect(throws: ExpressionError.self) {
      try expression.evaluate(ValueLookup(["zone": .string(zone)]))
    }
    #expect(error?.message.hasPrefix("there is no time zone '\(zone)'") == true)
  }

  @Test(arguments: [
    ("1h30m", 5400), ("-1.5h", -5400), ("0", 0), ("90s", 90), ("1m1ms", 60), ("+2m", 120),
  ])
  func `durations are read`(text: String, seconds: Int64) throws {
    let expression = try Expression("duration(text).getSeconds()")
    #expect(try expression.evaluate(ValueLookup(["text": .string(text)])) == .int(seconds))
  }

  @Test(arguments: ["", "1", "h", "1x", "1h-2m", "s1", ".s", "1 h"])
  func `what is no duration is an error`(text: String) throws {
    let expression = try Expression("duration(text)")
    #expect(throws: ExpressionError.self) {
      try expression.evaluate(ValueLookup(["text": .string(text)]))
    }
  }
}
