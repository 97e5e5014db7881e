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
