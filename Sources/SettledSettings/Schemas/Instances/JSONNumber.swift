internal import SettledValues

/// A number of JSON, compared by its value: `1` is `1.0`.
enum JSONNumber: BitwiseCopyable {
  case int(Int64)
  case uint(UInt64)
  case double(Double)

  /// The number of a value, nil for what is none.
  init?(_ value: Value) {
    switch value {
    case .int(let number): self = .int(number)
    case .uint(let number): self = number <= Int64.max ? .int(Int64(number)) : .uint(number)
    case .double(let number): self = JSONNumber(number)
    default: return nil
    }
  }

  /// The number of a double: an integer where it is one that 64 bits hold.
  init(_ number: Double) {
    if let whole = Int64(exactly: number) {
      self = .int(whole)
    } else if let whole = UInt64(exactly: number) {
      self = .uint(whole)
    } else {
      self = .double(number)
    }
  }

  /// Whether it has no fraction.
  var isInteger: Bool {
    guard case .double(let number) = self else { return true }
    return number.isFinite && number == number.rounded(.towardZero)
  }

  /// Its value as a double, rounded.
  var double: Double {
    switch self {
    case .int(let number): Double(number)
    case .uint(let number): Double(number)
    case .double(let number): number
    }
  }

  static func < (left: JSONNumber, right: JSONNumber) -> Bool {
    switch (left, right) {
    case (.int(let a), .int(let b)): a < b
    case (.int(let a), .uint(let b)): a < 0 || UInt64(a) < b
    case (.uint(let a), .int(let b)): b >= 0 && a < UInt64(b)
    case (.uint(let a), .uint(let b)): a < b
    case (.double(let a), .double(let b)): a < b
    case (.double(let a), .int(let b)): a.isLess(than: b)
    case (.double(let a), .uint(let b)): a.isLess(than: b)
    case (.int(let a), .double(let b)): !b.isNaN && !b.isLess(than: a) && Int64(exactly: b) != a
    case (.uint(let a), .double(let b)): !b.isNaN && !b.isLess(than: a) && UInt64(exactly: b) != a
    }
  }

  static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    switch (left, right) {
    case (.int(let a), .int(let b)): a == b
    case (.uint(let a), .uint(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    default: false
    }
  }
}

extension Double {
  /// Compares with an integer by value, where a conversion would round.
  fileprivate func isLess(than whole: some FixedWidthInteger) -> Bool {
    if self < Double(whole) { return true }
    guard self == Double(whole), abs(self) < 18_446_744_073_709_551_616 else { return false }
    return Int128(self) < Int128(whole)
  }
}

/// A positive decimal number, for exact remainders: `digits` times ten to `exponent`.
struct DecimalNumber: BitwiseCopyable {
  var digits: UInt64
  var exponent: Int

  /// The shortest decimal that reads back as the number, without its sign; nil for no number.
  init?(_ number: JSONNumber) {
    switch number {
    case .int(let value): self.init(digits: value.magnitude, exponent: 0)
    case .uint(let value): self.init(digits: value, exponent: 0)
    case .double(let value):
      guard value.isFinite else { return nil }
      self.init(text: value.magnitude.description)
    }
  }

  private init(digits: UInt64, exponent: Int) {
    self.digits = digits
    self.exponent = exponent
  }

  private init(text: String) {
    digits = 0
    exponent = 0
    var isFraction = false
    for (position, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "e"):
        exponent += Int(text.utf8.dropFirst(position + 1).asText) ?? 0
        trim()
        return
      default:
        digits = digits &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
        if isFraction { exponent -= 1 }
      }
    }
    trim()
  }

  private mutating func trim() {
    while digits > 0, digits % 10 == 0 { (digits, exponent) = (digits / 10, exponent + 1) }
  }

  /// Tells whether it is a whole number of times `other`, which is not 0.
  func isMultiple(of other: DecimalNumber) -> Bool {
    if digits == 0 { return true }
    if exponent >= other.exponent {
      var rest = digits % other.digits
      for _ in other.exponent..<exponent where rest != 0 {
        rest = other.digits.dividingFullWidth(rest.multipliedFullWidth(by: 10)).remainder
      }
      return rest == 0
    }
    var divisor = other.digits
    for _ in exponent..<other.exponent {
      let (product, overflow) = divisor.multipliedReportingOverflow(by: 10)
      if overflow { return false }
      divisor = product
    }
    return digits % divisor == 0
  }
}

extension Sequence<UInt8> {
  fileprivate var asText: String { String(decoding: Array(self), as: UTF8.self) }
}
