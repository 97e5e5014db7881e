/// A writer of YAML in block style.
///
/// Text is quoted wherever a reader of YAML 1.1 or 1.2 could take it for something else.
struct YAMLWriter {
  private var output = ""

  /// The longest key that readers take without a `?` before it is 1024 characters (YAML 1.2.2,
  /// section 7.4).
  private static let simpleKeyLength = 1000

  /// A document, without `---`.
  static func text(of value: Value) throws(FormatError) -> String {
    var writer = YAMLWriter()
    try writer.write(value, indent: 0, startsLine: true)
    return writer.output
  }

  /// Writes a value and the end of its line; a map or list is indented by `indent`, its first entry
  /// on the present line where that `startsLine`.
  private mutating func write(
    _ value: Value, indent: Int, startsLine: Bool
  ) throws(FormatError) {
    switch value {
    case .map(let map) where !map.isEmpty: try write(map, indent: indent, startsLine: startsLine)
    case .list(let elements) where !elements.isEmpty:
      try write(elements, indent: indent, startsLine: startsLine)
    default: output += (startsLine ? "" : " ") + (try Self.scalar(value)) + "\n"
    }
  }

  private mutating func write(
    _ map: ValueMap, indent: Int, startsLine: Bool
  ) throws(FormatError) {
    if !startsLine { output += "\n" }
    for (index, key) in try map.textKeys(for: "YAML").enumerated() {
      if index > 0 || !startsLine { startLine(indent) }
      let scalar = Self.scalar(key)
      output += scalar.utf8.count > Self.simpleKeyLength ? "? \(scalar)\n" : scalar
      if scalar.utf8.count > Self.simpleKeyLength { startLine(indent) }
      output += ":"
      do throws(FormatError) {
        try write(map.values[index], indent: indent + 2, startsLine: false)
      } catch {
        throw error.below(.key(key))
      }
    }
  }

  private mutating func write(
    _ elements: [Value], indent: Int, startsLine: Bool
  ) throws(FormatError) {
    if !startsLine { output += "\n" }
    for (index, element) in elements.enumerated() {
      if index > 0 || !startsLine { startLine(indent) }
      output += "- "
      do throws(FormatError) {
        try write(element, indent: indent + 2, startsLine: true)
      } catch {
        throw error.below(.index(index))
      }
    }
  }

  private mutating func startLine(_ indent: Int) {
    output += String(repeating: " ", count: indent)
  }

  private static func scalar(_ value: Value) throws(FormatError) -> String {
    switch value {
    case .null: return "null"
    case .map: return "{}"
    case .list: return "[]"
    case .bool, .int, .uint: return value.text ?? ""
    case .double(let number): return text(of: number)
    case .optional: throw FormatError("an optional value has no YAML")
    case .string, .bytes, .timestamp, .duration, .type: return scalar(value.text ?? "")
    }
  }

  /// A double with a point in it: YAML 1.1 takes `1e+16` for text.
  private static func text(of number: Double) -> String {
    if number.isNaN { return ".nan" }
    if number.isInfinite { return number < 0 ? "-.inf" : ".inf" }
    let digits = number.description
    guard !digits.contains("."), let exponent = digits.firstIndex(of: "e") else { return digits }
    return digits[..<exponent] + ".0" + digits[exponent...]
  }

  /// Text as a scalar.
  static func scalar(_ text: String) -> String {
    isPlain(text) ? text : quoted(text)
  }

  /// Tells whether text without quotes is that text for every reader.
  ///
  /// It begins with a letter, `_` or `/`, so that it is neither a number nor a date nor an
  /// indicator, and is none of the words that are values (YAML 1.1 types bool, null, float; YAML
  /// 1.2.2, section 10.3; and those that some readers add).
  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first) || first == UInt8(ascii: "/"),
      text.utf8.count <= 200
    else { return false }
    let isSafe = text.utf8.allSatisfy { byte in
      isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || "/.@+-".utf8.contains(byte)
    }
    return isSafe && !valueWords.contains(text.lowercased())
  }

  private static let valueWords: Set<String> = [
    "y", "n", "yes", "no", "on", "off", "true", "false", "null", "inf", "infinity", "nan",
  ]

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      default:
        if isPrintable(scalar) {
          quoted.unicodeScalars.append(scalar)
        } else {
          quoted += escape(scalar)
        }
      }
    }
    return quoted + "\""
  }

  /// What may stand in a document as it is (YAML 1.2.2, section 5.1), less the breaks of YAML 1.1
  /// and the byte order mark.
  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD: true
    default: scalar.value >= 0x10000
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let width = scalar.value < 0x100 ? 2 : 4
    return (width == 2 ? "\\x" : "\\u") + String(repeating: "0", count: width - digits.count)
      + digits
  }
}
