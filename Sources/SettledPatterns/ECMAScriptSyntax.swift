/// ECMA-262 patterns (section 22.2, with the `u` flag), written as PCRE2 reads them.
struct ECMAScriptSyntax {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var isInClass = false
  private var output = ""

  /// The same pattern as PCRE2 reads it.
  static func translated(_ pattern: String) throws(PatternError) -> String {
    var reader = Self(scalars: Array(pattern.unicodeScalars))
    while reader.position < reader.scalars.count { try reader.translateOne() }
    return reader.output
  }

  private init(scalars: [Unicode.Scalar]) {
    self.scalars = scalars
  }

  /// What ECMA-262 calls WhiteSpace and LineTerminator, as the inside of a class.
  private static let whitespace =
    #"\t\n\x0B\f\r \xA0\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}"#

  private mutating func translateOne() throws(PatternError) {
    let scalar = scalars[position]
    position += 1
    switch scalar {
    case "\\": try translateEscape()
    case "[" where isInClass: output += "\\["
    case "[": openClass()
    case "]":
      isInClass = false
      output.unicodeScalars.append(scalar)
    case "." where !isInClass: output += #"[^\n\r\x{2028}\x{2029}]"#
    case "(" where !isInClass && position < scalars.count && scalars[position] == "*":
      throw failure("nothing to repeat")
    default: output.unicodeScalars.append(scalar)
    }
  }

  private mutating func openClass() {
    isInClass = true
    output += "["
    if position < scalars.count, scalars[position] == "^" {
      position += 1
      output += "^"
    }
  }

  private mutating func translateEscape() throws(PatternError) {
    guard position < scalars.count else { throw failure("'\\' at the end of the pattern") }
    let scalar = scalars[position]
    position += 1
    switch scalar {
    case "s": output += isInClass ? Self.whitespace : "[\(Self.whitespace)]"
    case "S":
      guard !isInClass else {
        output += #"\P{Xsp}"#
        return
      }
      output += "[^\(Self.whitespace)]"
    case "d", "D", "w", "W", "f", "n", "r", "t", "b": output += "\\\(scalar)"
    case "B" where !isInClass: output += "\\B"
    case "v": output += "\\x0B"
    case "0": output += "\\x00"
    case "1"..."9": output += "\\\(scalar)"
    case "k": output += "\\k"
    case "c": try translateControl()
    case "x": try translateHexadecimal(digits: 2)
    case "u": try translateUnicode()
    case "p", "P": try translateProperty(negated: scalar == "P")
    default: try translateIdentity(scalar)
    }
  }

  private mutating func translateIdentity(_ scalar: Unicode.Scalar) throws(PatternError) {
    guard "^$\\.*+?()[]{}|/-".unicodeScalars.contains(scalar) else {
      throw failure("'\\\(scalar)' is not an escape")
    }
    output += "\\\(scalar)"
  }

  private mutating func translateControl() throws(PatternError) {
    guard position < scalars.count, scalars[position].isASCII,
      scalars[position].properties.isAlphabetic
    else { throw failure("'\\c' needs a letter") }
    output += "\\x{" + String(scalars[position].value & 0x1F, radix: 16) + "}"
    position += 1
  }

  private mutating func translateHexadecimal(digits: Int) throws(PatternError) {
    let value = try readHexadecimal(digits: digits)
    output += "\\x{" + String(value, radix: 16) + "}"
  }

  private mutating func readHexadecimal(digits: Int) throws(PatternError) -> UInt32 {
    let text = scalars[position...].prefix(digits).map(String.init).joined()
    guard text.utf8.count == digits, let value = UInt32(text, radix: 16), !text.hasPrefix("+")
    else { throw failure("an escape needs \(digits) hexadecimal digits") }
    position += digits
    return value
  }

  /// `\uXXXX`, a pair of surrogates, or `\u{X...}`.
  private mutating func translateUnicode() throws(PatternError) {
    var value: UInt32
    if position < scalars.count, scalars[position] == "{" {
      let digits = scalars[(position + 1)...].prefix { $0 != "}" }
      guard let number = UInt32(digits.map(String.init).joined(), radix: 16) else {
        throw failure("an escape needs hexadecimal digits")
      }
      value = number
      position += digits.count + 2
    } else {
      value = try readHexadecimal(digits: 4)
      if (0xD800..<0xDC00).contains(value), scalars[position...].starts(with: ["\\", "u"]) {
        position += 2
        let low = try readHexadecimal(digits: 4)
        value = 0x10000 + ((value - 0xD800) << 10) + (low &- 0xDC00)
      }
    }
    guard Unicode.Scalar(value) != nil else { throw failure("an escape names no character") }
    output += "\\x{" + String(value, radix: 16) + "}"
  }

  /// `\p{...}` with the long names that PCRE2 does not know written short.
  private mutating func translateProperty(negated: Bool) throws(PatternError) {
    guard position < scalars.count, scalars[position] == "{",
      let end = scalars[position...].firstIndex(of: "}")
    else { throw failure("'\\p' needs a name in braces") }
    let name = scalars[(position + 1)..<end].map(String.init).joined()
    position = end + 1
    let parts = name.split(separator: "=", maxSplits: 1).map(String.init)
    let value = parts.last ?? ""
    let short = UnicodeCategories.shortNames[value] ?? value
    let isScript = parts.count == 2 && ["Script", "sc"].contains(parts[0])
    output += (negated ? "\\P{" : "\\p{") + (isScript ? "sc:" : "") + short + "}"
  }

  private func failure(_ message: String) -> PatternError {
    let offset = scalars[..<min(position, scalars.count)].reduce(0) { $0 + UTF8.width($1) }
    return PatternError(.syntax, message, at: max(0, offset - 1))
  }
}
