/// Tells which kind of number a plain scalar is, if any.
struct NumberScan {
  private let text: UnsafeBufferPointer<UInt8>
  private var position = 0

  private init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
  }

  /// The class of a plain scalar that starts with a digit, a sign or a point.
  static func scan(_ text: UnsafeBufferPointer<UInt8>) -> ScalarClass {
    var scan = NumberScan(text)
    return scan.run()
  }

  private mutating func run() -> ScalarClass {
    let isSigned = take("+") || take("-")
    if let radix = prefixed(isSigned: isSigned) { return radix }
    if peek("."), let special = special(isSigned: isSigned) { return special }
    let start = position
    let digits = takeDigits()
    if position == text.count {
      guard digits > 0 else { return .string }
      if digits > 1, text[start] == UInt8(ascii: "0") { return .leadingZero }
      return digits < 19 || Decimal64.read(text) != nil ? .integer : .hugeInteger
    }
    if let float = fraction(digits) { return float }
    return foreign(start, digits, isSigned)
  }

  /// `0o17`, `0x1F`, and what only looks like them.
  private mutating func prefixed(isSigned: Bool) -> ScalarClass? {
    guard position + 2 < text.count, text[position] == UInt8(ascii: "0") else { return nil }
    let digits = UnsafeBufferPointer(rebasing: text[(position + 2)...])
    let (radix, isCore): (Int, Bool)
    switch text[position + 1] {
    case UInt8(ascii: "o"): (radix, isCore) = (8, true)
    case UInt8(ascii: "x"): (radix, isCore) = (16, true)
    case UInt8(ascii: "X"): (radix, isCore) = (16, false)
    case UInt8(ascii: "b"): (radix, isCore) = (2, false)
    default: return nil
    }
    guard digits.allSatisfy({ Decimal64.digit($0) < radix }) else { return nil }
    if isSigned || !isCore { return .foreignRadix }
    if Decimal64.read(digits, radix: radix) == nil { return .hugeInteger }
    return radix == 8 ? .octal : .hexadecimal
  }

  private func special(isSigned: Bool) -> ScalarClass? {
    guard text.count - position == 4 else { return nil }
    let letters = text[(position + 1)...]
    if ["inf", "Inf", "INF"].contains(where: { letters.elementsEqual($0.utf8) }) {
      return text[0] == UInt8(ascii: "-") ? .negativeInfinity : .infinity
    }
    let isNaN = ["nan", "NaN", "NAN"].contains { letters.elementsEqual($0.utf8) }
    return isNaN && !isSigned ? .notANumber : nil
  }

  /// What follows the digits of a float: a fraction, an exponent, or both.
  private mutating func fraction(_ whole: Int) -> ScalarClass? {
    let mark = position
    var decimals = 0
    if take(".") { decimals = takeDigits() }
    guard whole + decimals > 0 else { return restored(mark) }
    let isPadded = decimals > 1 && text[position - 1] == UInt8(ascii: "0")
    var exponent = 0
    if take("e") || take("E") {
      _ = take("+") || take("-")
      exponent = takeDigits()
      guard exponent > 0 else { return restored(mark) }
    }
    guard position == text.count else { return restored(mark) }
    if exponent > 2 || text.count > 200 {
      return Decimal64.double(text) == nil ? .hugeFloat : .float
    }
    return isPadded && exponent == 0 ? .paddedFloat : .float
  }

  private mutating func restored(_ mark: Int) -> ScalarClass? {
    position = mark
    return nil
  }

  /// Numbers and dates of YAML 1.1 that 1.2 does not know.
  private mutating func foreign(_ start: Int, _ digits: Int, _ isSigned: Bool) -> ScalarClass {
    guard digits > 0 else { return .string }
    if digits == 4, !isSigned, peek("-"), isDate() { return .date }
    position = start
    if isSexagesimal() { return .sexagesimal }
    guard text.contains(UInt8(ascii: "_")) else { return .string }
    let stripped = text.filter { $0 != UInt8(ascii: "_") }
    switch stripped.withUnsafeBufferPointer({ ScalarClass(plain: $0) }) {
    case .integer, .float, .paddedFloat, .leadingZero, .hugeInteger, .hugeFloat: return .underscored
    default: return .string
    }
  }

  /// `[1-9][0-9_]*(:[0-5]?[0-9])+` and the same with a fraction (yaml.org/type/int.html).
  private mutating func isSexagesimal() -> Bool {
    guard !peek("0") else { return false }
    while position < text.count, Decimal64.isDigit(text[position]) || peek("_") { position += 1 }
    guard peek(":") else { return false }
    while take(":") {
      let part = position
      let digits = takeDigits()
      guard digits == 1 || digits == 2 && text[part] < UInt8(ascii: "6") else { return false }
    }
    if take(".") { _ = takeDigits() }
    return position == text.count
  }

  /// `-MM-DD`, alone or before a time (yaml.org/type/timestamp.html).
  private mutating func isDate() -> Bool {
    for _ in 0..<2 {
      guard take("-"), (1...2).contains(takeDigits()) else { return false }
    }
    guard position < text.count else { return true }
    guard take("T") || take("t") || take(" ") else { return false }
    return takeDigits() > 0 && peek(":")
  }

  private func peek(_ character: Unicode.Scalar) -> Bool {
    position < text.count && text[position] == UInt8(ascii: character)
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek(character) else { return false }
    position += 1
    return true
  }

  private mutating func takeDigits() -> Int {
    let start = position
    while position < text.count, Decimal64.isDigit(text[position]) { position += 1 }
    return position - start
  }
}
