public import SettledValues

extension YAMLNode {
  /// A span of time with its units: `10s`, `500ms`, `1h30m`.
  ///
  /// - Throws: what is wrong with the text; a number needs a unit.
  public func duration() throws(Refusal) -> Duration {
    let units = ["ns", "us", "ms", "s", "m", "min", "h", "d"]
    guard kind == .scalar, !isNull else { throw mismatch("a duration such as 10s") }
    var total = Duration.zero
    var rest = text.utf8[...]
    if rest.elementsEqual("0".utf8) { return .zero }
    repeat {
      guard let (amount, unit) = Self.takeQuantity(&rest),
        units.contains(unit), let part = Self.span(amount, unit)
      else {
        throw mismatch("a duration", hint: "write one such as 10s, 500ms or 1h30m")
      }
      let (sum, overflow) = total.components.seconds.addingReportingOverflow(
        part.components.seconds)
      guard !overflow, sum < 1 << 40 else { throw mismatch("a shorter duration") }
      total += part
    } while !rest.isEmpty
    return total
  }

  /// A number of bytes: `65536`, `64KiB`, `10MB`; `K`, `M`, `G` and `T` are powers of 1,024.
  ///
  /// - Throws: what is wrong with the text.
  public func byteCount() throws(Refusal) -> Int64 {
    if let plain = integer, plain >= 0 { return plain }
    guard kind == .scalar, !isNull else { throw mismatch("a size such as 64KiB") }
    var rest = text.utf8[...]
    if let (amount, unit) = Self.takeQuantity(&rest), rest.isEmpty, let factor = Self.size(unit) {
      let (bytes, overflow) = amount.multipliedReportingOverflow(by: factor)
      if !overflow { return bytes }
    }
    throw mismatch("a size", hint: "write one such as 512, 64KiB or 10MB")
  }

  /// Takes digits and the letters behind them.
  private static func takeQuantity(
    _ rest: inout Substring.UTF8View
  ) -> (amount: Int64, unit: String)? {
    let digits = rest.prefix { Decimal64.isDigit($0) }
    guard let amount = Decimal64.read(Array(digits)) else { return nil }
    let behind = rest[digits.endIndex...]
    let unit = behind.prefix { !Decimal64.isDigit($0) }
    rest = behind[unit.endIndex...]
    return (amount, String(Substring(unit)))
  }

  private static func span(_ amount: Int64, _ unit: String) -> Duration? {
    let seconds: Int64
    switch unit {
    case "ns": return .nanoseconds(amount)
    case "us": return .microseconds(amount)
    case "ms": return .milliseconds(amount)
    case "s": seconds = 1
    case "m", "min": seconds = 60
    case "h": seconds = 3600
    case "d": seconds = 86_400
    default: return nil
    }
    let (total, overflow) = amount.multipliedReportingOverflow(by: seconds)
    return overflow ? nil : .seconds(total)
  }

  private static func size(_ unit: String) -> Int64? {
    switch unit {
    case "", "B": 1
    case "K", "KiB": 1 << 10
    case "M", "MiB": 1 << 20
    case "G", "GiB": 1 << 30
    case "T", "TiB": 1 << 40
    case "kB", "KB": 1_000
    case "MB": 1_000_000
    case "GB": 1_000_000_000
    case "TB": 1_000_000_000_000
    default: nil
    }
  }
}
