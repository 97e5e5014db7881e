internal import SettledValues

/// What the text around a fault says about its cause.
extension SyntaxFault {
  func unclosedQuote() -> Description {
    guard context.containsBytes("quoted") else {
      return Description(message: problem, place: place)
    }
    return Description(
      message: "this quote is never closed", place: start, hint: closingHint(),
      notes: problem.containsBytes("indicator")
        ? [Diagnostic.Note("a new document starts here", at: place)] : [])
  }

  /// Points at the first line below an opened quote that looks like a key of its own.
  private func closingHint() -> String? {
    var line = start.line + 1
    while line <= place.line, line < start.line + 100 {
      let text = lineText(line)
      let key = text.drop { $0 == UInt8(ascii: " ") }.prefix { isNameByte($0) }
      if !key.isEmpty, text.dropFirst(key.endIndex - text.startIndex).first == UInt8(ascii: ":") {
        return "it takes in line \(line), '\(shown(key)):'"
      }
      line += 1
    }
    return nil
  }

  func unclosed(_ opening: String, _ closing: String) -> Description {
    if let long = longKey(before: place) { return long }
    let hint: String? =
      byte(at: place) == UInt8(ascii: ":") && lineText(place.line).isEmpty
      ? "put a space after the ':'" : nil
    return Description(
      message: "'\(opening)' is not closed before line \(place.line)", place: start,
      hint: hint ?? "expected ',' or '\(closing)'",
      notes: [Diagnostic.Note("it would have to be closed here", at: place)])
  }

  /// A ':' where no key can be.
  func misplacedColon() -> Description {
    if let long = longKey(before: place) { return long }
    let before = Array(lineText(place.line).prefix(offset(place) - lineStart(place.line)))
    if let above = gluedLine(above: place.line) {
      return Description(
        message: "expected a space after the ':'", place: above,
        notes: [Diagnostic.Note("so this key has no map to be in", at: place)])
    }
    if before.first == UInt8(ascii: "-"), before.starts(with: "---".utf8) {
      return Description(
        message: "a map must start on the line after '---'", place: place)
    }
    if String(decoding: before, as: UTF8.self).containsBytes(": ") {
      return Description(
        message: "a second ': ' on this line", place: place, hint: "quote the value")
    }
    return Description(
      message: "this key is inside of a value", place: place,
      hint: "the lines above belong to a value that is text; check quotes and indentation")
  }

  /// The place after the ':' of a line `name:value` next above `line`.
  private func gluedLine(above line: Int) -> Place? {
    guard line > 1 else { return nil }
    let text = lineText(line - 1)
    let trimmed = text.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-") }
    let key = trimmed.prefix { isNameByte($0) }
    let rest = trimmed[key.endIndex...]
    guard !key.isEmpty, rest.first == UInt8(ascii: ":"), rest.count > 1,
      rest.dropFirst().first != UInt8(ascii: " ")
    else { return nil }
    return Place(file: source.file, line: line - 1, column: key.endIndex - text.startIndex + 1)
  }

  /// A key of more than 1,024 characters, which libyaml does not take for one.
  private func longKey(before colon: Place) -> Description? {
    let line = lineText(colon.line)
    let first = line.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "{") }.count
    let length = colon.column - 1 - first
    guard length > 1024 else { return nil }
    return Description(
      message: "a key of \(length) characters; YAML takes at most 1024",
      place: Place(file: source.file, line: colon.line, column: first + 1),
      hint: "shorten it, or write '? key' and ': value' on lines of their own")
  }

  /// Something where the next key of a map should be.
  func misplacedKey() -> Description {
    let note = [Diagnostic.Note("this map starts here", at: start)]
    switch byte(at: place) {
    case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","):
      let before = byte(before: place)
      if before == UInt8(ascii: "\"") || before == UInt8(ascii: "'") { fallthrough }
      let character = shown([byte(at: place) ?? 0])
      return Description(message: "unexpected '\(character)'", place: place, notes: note)
    case _ where endsQuote(before: place):
      return Description(
        message: "text after the closing quote", place: place,
        hint: "quote the value as a whole; inside of single quotes write '' for one")
    case _ where isFirstOnLine(place) && isComment(place.line - 1):
      return Description(
        message: "a comment ends the value above", place: place,
        hint: "move the comment out of the value", notes: note)
    case UInt8(ascii: "-") where isFirstOnLine(place) && place.column == start.column:
      return Description(
        message: "a list item among the keys of a map", place: place,
        hint: "indent it like the other items of its list", notes: note)
    case _ where isFirstOnLine(place):
      return indentation(place, note)
    default:
      return Description(message: "expected a key", place: place, notes: note)
    }
  }

  private func indentation(_ place: Place, _ note: [Diagnostic.Note]) -> Description {
    let columns = openColumns(above: place.line, below: place.column)
    let list = columns.map(String.init).joined(separator: " or ")
    return Description(
      message: "the indentation fits no level above",
      place: place, hint: list.isEmpty ? nil : "start in column \(list)", notes: note)
  }

  /// The columns where lines above start that are still open, innermost first.
  private func openColumns(above line: Int, below column: Int) -> [Int] {
    var columns: [Int] = []
    var least = Int.max
    var number = line - 1
    while number > 0, number > line - 100, least > 1 {
      let text = lineText(number)
      let indent = text.prefix { $0 == UInt8(ascii: " ") }.count + 1
      if indent <= text.count, text[text.startIndex + indent - 1] != UInt8(ascii: "#"),
        indent < least
      {
        least = indent
        columns.append(indent)
      }
      number -= 1
    }
    return columns
  }

  func misplacedItem() -> Description {
    let next = lineText(place.line).drop { $0 == UInt8(ascii: " ") }.first
    return Description(
      message: "expected a list item in column \(start.column)", place: place,
      hint: next == UInt8(ascii: "-") ? "indent all items alike" : "indent it below its item",
      notes: [Diagnostic.Note("this list starts here", at: start)])
  }
}
