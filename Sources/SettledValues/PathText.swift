extension Path {
  /// Reads a path as ``description`` spells it: `http.port`, `settings["my-app"].ports[0]`.
  ///
  /// The root is `settings`. Nil for what is no path; a quoted key has the escapes of a string in an
  /// expression that stand for one character: `\\"`, `\\\\`, `\\n`, `\\t`, `\\r`.
  public init?(spelled text: String) {
    var rest = text.unicodeScalars[...]
    guard let first = Self.readName(&rest) else { return nil }
    var components = first == "settings" ? [] : [Component.key(first)]
    while let sign = rest.popFirst() {
      switch sign {
      case ".":
        guard let name = Self.readName(&rest) else { return nil }
        components.append(.key(name))
      case "[":
        guard let component = Self.readBracket(&rest) else { return nil }
        components.append(component)
      default: return nil
      }
    }
    self.init(components)
  }

  /// The keys that lead to it; nil for the root, and for what lies in a list.
  public var keys: [String]? {
    var keys: [String] = []
    for component in components {
      guard case .key(let key) = component else { return nil }
      keys.append(key)
    }
    return keys.isEmpty ? nil : keys
  }

  private static func readName(_ rest: inout Substring.UnicodeScalarView) -> String? {
    let name = String(rest.prefix { $0 != "." && $0 != "[" })
    guard isIdentifier(name) else { return nil }
    rest = rest.dropFirst(name.unicodeScalars.count)
    return name
  }

  private static func readBracket(_ rest: inout Substring.UnicodeScalarView) -> Component? {
    if let quote = rest.first, quote == "\"" || quote == "'" {
      rest.removeFirst()
      guard let key = readQuoted(&rest, quote), rest.popFirst() == "]" else { return nil }
      return .key(key)
    }
    let digits = String(rest.prefix { $0 != "]" })
    guard let index = Int(digits), index >= 0, digits.utf8.first != UInt8(ascii: "+") else {
      return nil
    }
    rest = rest.dropFirst(digits.utf8.count)
    return rest.popFirst() == "]" ? .index(index) : nil
  }

  private static func readQuoted(
    _ rest: inout Substring.UnicodeScalarView, _ quote: Unicode.Scalar
  ) -> String? {
    var key = ""
    while let scalar = rest.popFirst() {
      if scalar == quote { return key }
      guard scalar == "\\" else {
        key.unicodeScalars.append(scalar)
        continue
      }
      guard let escaped = rest.popFirst().flatMap({ escapes[$0] }) else { return nil }
      key.unicodeScalars.append(escaped)
    }
    return nil
  }

  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "\"": "\"", "'": "'", "\\": "\\", "n": "\n", "t": "\t", "r": "\r",
  ]
}
