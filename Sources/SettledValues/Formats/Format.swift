/// A text format that a value can be written in.
public enum Format: String, Sendable, Hashable, CaseIterable {
  /// JSON (RFC 8259), indented.
  case json
  /// YAML, in block style, that readers of 1.1 and 1.2 take alike.
  case yaml
  /// Lines of `NAME=value`, as systemd's `EnvironmentFile=` and POSIX shells read them.
  case env
  /// Sections of `key = value`, without what readers of ini files take differently.
  case ini
  /// TOML 1.0.
  case toml
  /// The text itself; a list is a line an element.
  case text

  /// The bytes of a file that holds `value`.
  ///
  /// All but `text` end in a line break. `env`, `ini` and `toml` have no null: such an entry is left
  /// out, as null means "not set".
  public func write(_ value: Value) throws(FormatError) -> [UInt8] {
    var output: [UInt8] = []
    switch self {
    case .json:
      try JSON.write(value, into: &output, indent: 2)
      output.append(UInt8(ascii: "\n"))
    case .yaml: output = Array(try YAMLWriter.text(of: value).utf8)
    case .env: output = Array(try EnvironmentWriter.text(of: value).utf8)
    case .ini: output = Array(try INIWriter.text(of: value).utf8)
    case .toml: output = Array(try TOMLWriter.text(of: value).utf8)
    case .text: output = Array(try Self.plainText(of: value).utf8)
    }
    return output
  }

  private static func plainText(of value: Value) throws(FormatError) -> String {
    guard case .list(let elements) = value else { return try value.requiredText(in: "text") }
    var text = ""
    for (index, element) in elements.enumerated() {
      do throws(FormatError) {
        let line = try element.requiredText(in: "text")
        guard !line.utf8.contains(UInt8(ascii: "\n")) else {
          throw FormatError("a line cannot hold a line break")
        }
        text += line + "\n"
      } catch {
        throw error.below(.index(index))
      }
    }
    return text
  }
}

extension Value {
  /// The text of a value that is one piece, for a format that has nothing else.
  func requiredText(in format: String) throws(FormatError) -> String {
    guard let text else {
      throw FormatError("a value of type \(typeName) cannot be written as \(format)")
    }
    return text
  }

  /// The entries of a map, keys as text; `format` is for the error where it is no map.
  func entries(for format: String) throws(FormatError) -> [(key: String, value: Value)] {
    guard case .map(let map) = self else {
      throw FormatError("\(format) is written from a map, not from a value of type \(typeName)")
    }
    let keys = try map.textKeys(for: format)
    return zip(keys, map.values).map { (key: $0, value: $1) }
  }
}
