/// What a scalar's text is by the core schema of YAML 1.2 (section 10.3.2), and why it is text where
/// YAML 1.1 took it for something else.
package enum ScalarClass: UInt8 {
  case string
  case null, yes, no
  case integer, octal, hexadecimal
  case float
  /// A number whose text ends in a zero that the number loses: `1.10`.
  case paddedFloat
  case infinity, negativeInfinity, notANumber
  /// Text that YAML 1.1 reads as a truth value: `yes`, `off`.
  case truthWord
  /// `y`, `n`.
  case truthLetter
  /// `0755`, `08`.
  case leadingZero
  /// `1_000`.
  case underscored
  /// `1:30`.
  case sexagesimal
  /// `-0x1F`, `0X1f`, `0b101`.
  case foreignRadix
  /// An integer that 64 bits cannot hold.
  case hugeInteger
  /// A number that a double cannot hold.
  case hugeFloat
  /// `2001-12-14`.
  case date
}

extension ScalarClass {
  /// The class of a plain scalar.
  init(plain text: UnsafeBufferPointer<UInt8>) {
    guard let first = text.first else {
      self = .null
      return
    }
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      self = NumberScan.scan(text)
    case UInt8(ascii: "~"):
      self = text.count == 1 ? .null : .string
    default:
      self = text.count <= 5 ? Self.word(text) : .string
    }
  }

  private static func word(_ text: UnsafeBufferPointer<UInt8>) -> ScalarClass {
    switch text[0] | 0x20 {
    case UInt8(ascii: "t"): Self.matches(text, "true") ? .yes : .string
    case UInt8(ascii: "f"): Self.matches(text, "false") ? .no : .string
    case UInt8(ascii: "y"):
      text.count == 1 ? .truthLetter : Self.matches(text, "yes") ? .truthWord : .string
    case UInt8(ascii: "n"):
      text.count == 1
        ? .truthLetter
        : Self.matches(text, "null") ? .null : Self.matches(text, "no") ? .truthWord : .string
    case UInt8(ascii: "o"):
      Self.matches(text, "on") || Self.matches(text, "off") ? .truthWord : .string
    default: .string
    }
  }

  /// Tells whether `text` is `word` in lower case, in upper case, or capitalised.
  private static func matches(_ text: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
    guard text.count == word.utf8CodeUnitCount else { return false }
    let isUpper = text[text.count - 1] & 0x20 == 0
    for position in text.indices {
      guard text[position] | 0x20 == word.utf8Start[position] else { return false }
      if position > 0, (text[position] & 0x20 == 0) != isUpper { return false }
    }
    return !isUpper || text[0] & 0x20 == 0
  }
}

extension ScalarClass {
  /// Whether YAML 1.1 and 1.2, or other readers, take the text for different things.
  var isOdd: Bool {
    switch self {
    case .paddedFloat, .truthWord, .leadingZero, .underscored, .sexagesimal, .foreignRadix,
      .hugeInteger, .hugeFloat, .date:
      true
    default: false
    }
  }

  /// Why the text is not the number or truth value it looks like, and what to write.
  var reason: String? {
    switch self {
    case .truthWord, .truthLetter: "a YAML 1.1 truth value; write true or false"
    case .underscored: "underscores are not YAML 1.2; leave them out"
    case .sexagesimal: "it looks like base 60 of YAML 1.1, which 1.2 does not know"
    case .foreignRadix: "write 0x and 0o without a sign and in lower case; YAML 1.2 knows no 0b"
    case .hugeInteger: "an integer is between -9223372036854775808 and 9223372036854775807"
    case .hugeFloat: "the number is out of range"
    case .date: "it looks like a date, which settings keep as text"
    default: nil
    }
  }
}
