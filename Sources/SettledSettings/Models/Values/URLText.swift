public import SettledValues

/// The text of a URL: a scheme, a colon, and characters that a URL may have (RFC 3986).
///
/// What it names is not looked at, and no parts are taken out; for that, give ``text`` to the URL type
/// of your choice.
public struct URLText: Sendable, Hashable, CustomStringConvertible {
  /// The URL as written.
  public let text: String

  /// Takes text for a URL; nil where it is none.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0,
      Self.isLetter(bytes[0]), bytes[..<colon].allSatisfy(Self.isInScheme),
      colon + 1 < bytes.count, Self.isWellFormed(bytes[(colon + 1)...])
    else { return nil }
    self.text = text
  }

  /// The part before the colon, in lower case.
  public var scheme: String { text.prefix { $0 != ":" }.lowercased() }

  /// The URL as written.
  public var description: String { text }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isInScheme(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || "+-.".utf8.contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }

  /// Tells whether the bytes are those of RFC 3986, section 2, and each `%` has its two digits.
  private static func isWellFormed(_ bytes: ArraySlice<UInt8>) -> Bool {
    for (position, byte) in zip(bytes.indices, bytes) {
      if byte == UInt8(ascii: "%") {
        let digits = bytes[(position + 1)...].prefix(2)
        guard digits.count == 2, digits.allSatisfy(isHexadecimal) else { return false }
      } else if !isLetter(byte), !isDigit(byte), !"-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte) {
        return false
      }
    }
    return true
  }
}

extension URLText: SettingValue {
  /// Reads a URL.
  public static func read(_ node: SettingNode) throws(Refusal) -> URLText {
    guard let url = URLText(try node.string()) else {
      throw node.mismatch("a URL with its scheme", hint: "write one such as https://example.org/a")
    }
    return url
  }

  /// The schema of a URL.
  public static var schema: ValueMap { ["type": "string", "format": "uri"] }

  /// The URL as text.
  public var written: Value { .string(text) }
}
