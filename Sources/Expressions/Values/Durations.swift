import SettledValues

/// Durations as CEL has them: whole nanoseconds in an `Int64`, about 292 years either way
/// (`langdef.md`, "Overflow").
extension Duration {
  /// The whole nanoseconds.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
  }

  /// Creates a duration, refusing one that CEL cannot hold.
  init(checkedNanoseconds: Int128) throws(Failure) {
    guard let nanoseconds = Int64(exactly: checkedNanoseconds) else {
      throw Failure("the duration is out of range")
    }
    self = .nanoseconds(nanoseconds)
  }

  /// The sum, if CEL can hold it.
  func checked(adding other: Duration) throws(Failure) -> Duration {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(other.nanoseconds)
    guard !overflow else { throw Failure("the duration is out of range") }
    return .nanoseconds(sum)
  }

  /// Reads `1h30m`, `-1.5s`, `250ms`, `0`.
  init(reading text: String) throws(Failure) {
    var bytes = Array(text.utf8)[...]
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
    if bytes.elementsEqual("0".utf8) {
      self = .zero
      return
    }
    guard !bytes.isEmpty else { throw Self.unreadable }
    var total: Int128 = 0
    while !bytes.isEmpty {
      guard let part = Self.readPart(&bytes) else { throw Self.unreadable }
      total += part
      guard total <= Int128(Int64.max) + 1 else { throw Failure("the duration is out of range") }
    }
    try self.init(checkedNanoseconds: isNegative ? -total : total)
  }

  private static var unreadable: Failure {
    Failure(
      "the text is not a duration", hint: "write it like '1h30m', '90s' or '250ms'")
  }

  /// Reads a number and its unit, as nanoseconds.
  private static func readPart(_ bytes: inout ArraySlice<UInt8>) -> Int128? {
    let whole = bytes.prefix(while: Lexer.isDigit)
    bytes = bytes.dropFirst(whole.count)
    var fraction: ArraySlice<UInt8> = []
    if bytes.first == UInt8(ascii: ".") {
      bytes.removeFirst()
      fraction = bytes.prefix(while: Lexer.isDigit)
      bytes = bytes.dropFirst(fraction.count)
    }
    let unit = bytes.prefix { !Lexer.isDigit($0) && $0 != UInt8(ascii: ".") }
    bytes = bytes.dropFirst(unit.count)
    guard !whole.isEmpty || !fraction.isEmpty, whole.count <= 19,
      let scale = units[String(decoding: unit, as: UTF8.self)]
    else { return nil }
    let wholePart = Int128(String(decoding: whole, as: UTF8.self)) ?? 0
    let digits = fraction.prefix(15)
    var part = Int128(String(decoding: digits, as: UTF8.self)) ?? 0
    part *= scale
    for _ in digits { part /= 10 }
    return wholePart * scale + part
  }

  /// Units in nanoseconds.
  private static let units: [String: Int128] = [
    "h": 3_600_000_000_000, "m": 60_000_000_000, "s": 1_000_000_000, "ms": 1_000_000,
    "us": 1_000, "\u{B5}s": 1_000, "\u{3BC}s": 1_000, "ns": 1,
  ]
}
