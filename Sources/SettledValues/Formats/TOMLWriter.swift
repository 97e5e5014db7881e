/// A writer of TOML 1.0.
struct TOMLWriter {
  private var output = ""

  /// The document for a map.
  static func text(of value: Value) throws(FormatError) -> String {
    var writer = TOMLWriter()
    try writer.writeTable(value, name: [])
    return writer.output
  }

  /// Writes a table: first what fits on a line, then the tables in it under headers of their own.
  private mutating func writeTable(_ value: Value, name: [String]) throws(FormatError) {
    let entries = try value.entries(for: "TOML").filter { $0.value != .null }
    for (key, value) in entries where !Self.isTable(value) && !Self.isListOfTables(value) {
      do throws(FormatError) {
        output += "\(Self.key(key)) = \(try Self.inline(value))\n"
      } catch {
        throw error.below(.key(key))
      }
    }
    for (key, value) in entries {
      do throws(FormatError) {
        try writeTables(in: value, name: name + [Self.key(key)])
      } catch {
        throw error.below(.key(key))
      }
    }
  }

  private mutating func writeTables(in value: Value, name: [String]) throws(FormatError) {
    if case .map(let map) = value {
      let needsHeader = map.isEmpty || !map.values.allSatisfy(Self.isTable)
      if needsHeader { writeHeader("[\(name.joined(separator: "."))]") }
      try writeTable(value, name: name)
    } else if case .list(let elements) = value, Self.isListOfTables(value) {
      for (index, element) in elements.enumerated() {
        writeHeader("[[\(name.joined(separator: "."))]]")
        do throws(FormatError) {
          try writeTable(element, name: name)
        } catch {
          throw error.below(.index(index))
        }
      }
    }
  }

  private mutating func writeHeader(_ header: String) {
    output += (output.isEmpty ? "" : "\n") + header + "\n"
  }

  private static func isTable(_ value: Value) -> Bool {
    if case .map = value { true } else { false }
  }

  private static func isListOfTables(_ value: Value) -> Bool {
    guard case .list(let elements) = value, !elements.isEmpty else { return false }
    return elements.allSatisfy(isTable)
  }

  private static func inline(_ value: Value) throws(FormatError) -> String {
    switch value {
    case .null: throw FormatError("a list in TOML cannot hold null")
    case .optional: throw FormatError("an optional value has no TOML")
    case .uint(let number) where number > Int64.max: throw FormatError("too large for TOML")
    case .bool, .int, .uint, .timestamp: return value.text ?? ""
    case .double(let number): return number.description
    case .string, .bytes, .duration, .type: return string(value.text ?? "")
    case .list(let elements): return try inline(elements)
    case .map: return try inlineTable(value)
    }
  }

  private static func inline(_ elements: [Value]) throws(FormatError) -> String {
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      do { texts.append(try inline(element)) } catch { throw error.below(.index(index)) }
    }
    return "[" + texts.joined(separator: ", ") + "]"
  }

  private static func inlineTable(_ value: Value) throws(FormatError) -> String {
    var texts: [String] = []
    for (key, value) in try value.entries(for: "TOML") where value != .null {
      do throws(FormatError) {
        texts.append("\(Self.key(key)) = \(try inline(value))")
      } catch {
        throw error.below(.key(key))
      }
    }
    return texts.isEmpty ? "{}" : "{ " + texts.joined(separator: ", ") + " }"
  }

  private static func key(_ text: String) -> String {
    let isBare =
      !text.isEmpty
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "_-".utf8.contains(byte)
      }
    return isBare ? text : string(text)
  }

  /// Text as a basic string.
  static func string(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      case "\u{0}"..."\u{1F}", "\u{7F}":
        let digits = String(scalar.value, radix: 16, uppercase: true)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
