/// A writer of ini files: `key = value`, and sections for maps.
///
/// There is no standard. What readers take differently, such as quotes, comments after a value or
/// repeated keys, is an error rather than a guess.
enum INIWriter {
  /// The file for a map: first its single values, then a section for each map in it.
  static func text(of value: Value) throws(FormatError) -> String {
    let entries = try value.entries(for: "an ini file")
    var text = try lines(of: entries.filter { !isMap($0.value) })
    for (name, section) in entries where isMap(section) {
      do throws(FormatError) {
        guard isName(name, without: "[]") else {
          throw FormatError("the name of a section cannot be written")
        }
        text += (text.isEmpty ? "" : "\n") + "[\(name)]\n"
        text += try lines(of: section.entries(for: "a section"))
      } catch {
        throw error.below(.key(name))
      }
    }
    return text
  }

  private static func lines(of entries: [(key: String, value: Value)]) throws(FormatError) -> String
  {
    var text = ""
    for (key, value) in entries where value != .null {
      do throws(FormatError) {
        guard isName(key, without: "=:[]") else {
          throw FormatError("the name of an entry cannot be written")
        }
        text += "\(key) = \(try line(value.requiredText(in: "a line of an ini file")))\n"
      } catch {
        throw error.below(.key(key))
      }
    }
    return text
  }

  private static func line(_ text: String) throws(FormatError) -> String {
    guard !text.unicodeScalars.contains(where: isControl) else {
      throw FormatError("a line of an ini file cannot hold control characters")
    }
    guard isTrimmed(text) else {
      throw FormatError("readers of ini files drop the spaces around a value")
    }
    if let first = text.unicodeScalars.first, "\"'".unicodeScalars.contains(first) {
      throw FormatError("readers of ini files differ on a value that begins with a quote")
    }
    guard text.unicodeScalars.last != "\\" else {
      throw FormatError("readers of ini files differ on a value that ends with a backslash")
    }
    guard !holdsComment(text) else {
      throw FormatError("readers of ini files differ on '#' and ';' after a space")
    }
    return text
  }

  /// Tells whether some readers would drop a part of the line as a comment.
  private static func holdsComment(_ line: String) -> Bool {
    zip((" " + line).unicodeScalars, line.unicodeScalars).contains { before, scalar in
      before.properties.isWhitespace && (scalar == "#" || scalar == ";")
    }
  }

  private static func isName(_ text: String, without marks: String) -> Bool {
    guard !text.isEmpty, isTrimmed(text), !holdsComment(text) else { return false }
    return !text.unicodeScalars.contains {
      isControl($0) || marks.unicodeScalars.contains($0)
    }
  }

  private static func isTrimmed(_ text: String) -> Bool {
    let isSpace = { (scalar: Unicode.Scalar?) in scalar?.properties.isWhitespace ?? false }
    return !isSpace(text.unicodeScalars.first) && !isSpace(text.unicodeScalars.last)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  private static func isMap(_ value: Value) -> Bool {
    if case .map = value { true } else { false }
  }
}
