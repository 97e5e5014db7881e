/// Text as it has to be written in some language to stand for itself.
public enum Quoting {
  /// The text as a word of a POSIX shell (POSIX.1-2024, Shell Command Language, 2.2).
  public static func shell(_ text: String) throws(FormatError) -> String {
    guard !text.utf8.contains(0) else {
      throw FormatError("a word of a shell cannot hold a NUL character")
    }
    if isPlainWord(text) { return text }
    var quoted = "'"
    for scalar in text.unicodeScalars {
      if scalar == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "'"
  }

  /// The text as the value of a line in an environment file, systemd.exec(5) `EnvironmentFile=`.
  ///
  /// POSIX shells read it in the same way. systemd takes no control characters but tab and line
  /// break.
  public static func environment(_ text: String) throws(FormatError) -> String {
    for scalar in text.unicodeScalars where scalar.properties.generalCategory == .control {
      guard scalar == "\t" || scalar == "\n" else {
        throw FormatError("an environment file cannot hold control characters")
      }
    }
    return text.isEmpty || isPlainWord(text) ? text : doubleQuoted(text)
  }

  /// The text as a string of JSON (RFC 8259, section 7).
  public static func json(_ text: String) -> String {
    // A string always has JSON.
    (try? JSON.text(.string(text))) ?? "\"\""
  }

  /// The text as a scalar of YAML that every reader takes for this string.
  public static func yaml(_ text: String) -> String {
    YAMLWriter.scalar(text)
  }

  /// The text as a basic string of TOML (TOML 1.0, String).
  public static func toml(_ text: String) -> String {
    TOMLWriter.string(text)
  }

  private static func doubleQuoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if "\"\\$`".unicodeScalars.contains(scalar) { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }

  /// Tells whether a shell takes the text as it is, anywhere in a command.
  private static func isPlainWord(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "_./:@%+,-".utf8.contains(byte)
        }
      }
  }
}
