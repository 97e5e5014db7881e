extension Value {
  /// The text of a value that is one piece and not null, as formats without a type of their own
  /// for it write it; nil for null, lists, maps and optional values.
  ///
  /// Doubles are the shortest text that reads back as the same double; bytes are base64 (RFC 4648,
  /// section 4), instants RFC 3339, spans of time seconds (`1.5s`).
  public var text: String? {
    switch self {
    case .bool(let value): value ? "true" : "false"
    case .int(let number): number.description
    case .uint(let number): number.description
    case .double(let number): number.description
    case .string(let text), .type(let text): text
    case .bytes(let bytes): Self.base64(bytes)
    case .timestamp(let instant): instant.description
    case .duration(let span): Self.seconds(span)
    case .null, .list, .map, .optional: nil
    }
  }

  /// The base64 text of bytes, padded (RFC 4648, section 4).
  public static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var output: [UInt8] = []
    output.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(0) { $0 << 8 | Int($1) }
      bits <<= 8 * (3 - group.count)
      for position in 0..<4 {
        let digit = digits[bits >> (18 - 6 * position) & 0x3F]
        output.append(position <= group.count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The text of a span of time in seconds, with as many decimals as it needs: `1.5s`.
  public static func seconds(_ span: Duration) -> String {
    let (seconds, attoseconds) = span.components
    let sign = seconds < 0 || attoseconds < 0 ? "-" : ""
    let fraction = decimals(of: Int64(attoseconds.magnitude / 1_000_000_000), digits: 9)
    return "\(sign)\(seconds.magnitude)\(fraction)s"
  }

  /// A fraction counted in `digits` decimals, from the point on, without trailing zeros.
  static func decimals(of count: Int64, digits: Int) -> String {
    guard count != 0 else { return "" }
    let text = String(count)
    let padded = String(repeating: "0", count: digits - text.count) + text
    let trailing = padded.reversed().prefix { $0 == "0" }.count
    return "." + padded.dropLast(trailing)
  }
}

extension Timestamp: CustomStringConvertible {
  /// The instant as RFC 3339 writes it, in UTC: `2026-01-31T12:00:00.5Z`.
  public var description: String {
    let daySeconds: Int64 = 86_400
    let ofDay = ((seconds % daySeconds) + daySeconds) % daySeconds
    let date = Self.civil(days: (seconds - ofDay) / daySeconds)
    let clock = [ofDay / 3600, ofDay / 60 % 60, ofDay % 60].map { Self.padded($0, 2) }
    let fraction = Value.decimals(of: Int64(nanoseconds), digits: 9)
    let month = "\(Self.padded(date.year, 4))-\(Self.padded(date.month, 2))"
    return "\(month)-\(Self.padded(date.day, 2))T\(clock.joined(separator: ":"))\(fraction)Z"
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
}

extension ValueMap {
  /// The keys as text, for a format without others: numbers and truth values as they are printed.
  func textKeys(for format: String) throws(FormatError) -> [String] {
    var texts: [String] = []
    texts.reserveCapacity(count)
    var converted = false
    for key in keys {
      guard let text = key.text else {
        throw FormatError("a key of type \(key.typeName) has no \(format)")
      }
      if case .string = key {} else { converted = true }
      texts.append(text)
    }
    guard converted else { return texts }
    var seen: Set<Value> = []
    for text in texts where !seen.insert(.string(text)).inserted {
      throw FormatError("two keys are written alike in \(format)", at: Path([.key(text)]))
    }
    return texts
  }
}
