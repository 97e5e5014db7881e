internal import SettledValues

/// The text around a fault, and what is said of single characters.
extension SyntaxFault {
  func badStart() -> Description {
    switch byte(at: place) {
    case UInt8(ascii: "\t"): tab(at: place)
    case UInt8(ascii: "@"), UInt8(ascii: "`"), UInt8(ascii: "%"):
      Description(
        message: "'\(shown([byte(at: place) ?? 0]))' is reserved at the start of a value",
        place: place, hint: "quote the value")
    default: Description(message: "no value can start like this", place: place)
    }
  }

  func tab(at place: Place) -> Description {
    Description(
      message: "tab used for indentation; YAML needs spaces", place: place,
      hint: "replace the tab")
  }

  func badName() -> Description {
    let isAlias = context.containsBytes("alias")
    return Description(
      message: isAlias
        ? "'*' starts an alias, and no name follows" : "'&' starts an anchor, and no name follows",
      place: start, length: max(1, word(at: start).count),
      hint: "for text that starts with it, quote it; names have letters, digits, '-' and '_'")
  }

  func afterDocument() -> Description {
    if byte(at: place) == UInt8(ascii: ":"), endsQuote(before: place) {
      return Description(message: "expected a space after the ':'", place: place)
    }
    return Description(
      message: "text after the end of the document", place: place,
      hint: "a settings file holds one document")
  }

  func missingContent() -> Description {
    switch byte(at: place) {
    case UInt8(ascii: ","):
      Description(message: "nothing stands before this ','", place: place, hint: "delete it")
    case nil:
      if let bracket = openBracket() {
        Description(
          message: "this bracket is still open at the end of the file", place: bracket,
          hint: "close it")
      } else {
        Description(message: "the file ends where a value is expected", place: place)
      }
    case _ where isFirstOnLine(place) && lineText(place.line).starts(with: "...".utf8):
      Description(message: "'...' without a document before it", place: place, hint: "delete it")
    default: Description(message: "expected a value", place: place)
    }
  }

  /// The last bracket that nothing closes; those in quotes and comments count as well.
  private func openBracket() -> Place? {
    var depth = 0
    for offset in (0..<offset(place)).reversed() {
      switch source.byte(offset) {
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth += 1
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        guard depth > 0 else { return source.place(ofByte: offset) }
        depth -= 1
      default: break
      }
    }
    return nil
  }

  func escape() -> Description {
    Description(
      message: "this backslash starts no escape", place: backslash(), length: 2,
      hint: "in double quotes write \\\\ for one, or use single quotes")
  }

  /// The backslash of the escape that a fault is in.
  func backslash() -> Place {
    var offset = offset(place)
    let least = self.offset(start)
    while offset > least, source.byte(offset) != UInt8(ascii: "\\") { offset -= 1 }
    return source.place(ofByte: offset)
  }

  func offset(_ place: Place) -> Int { source.offset(of: place) }

  func byte(at place: Place) -> UInt8? {
    let offset = offset(place)
    return source.byte(offset)
  }

  func byte(before place: Place) -> UInt8? {
    var offset = offset(place) - 1
    while source.byte(offset) == UInt8(ascii: " ") { offset -= 1 }
    return source.byte(offset)
  }

  /// Whether a quote was closed just before, on the same line.
  func endsQuote(before place: Place) -> Bool {
    guard !isFirstOnLine(place) else { return false }
    let before = byte(before: place)
    return before == UInt8(ascii: "\"") || before == UInt8(ascii: "'")
  }

  func isFirstOnLine(_ place: Place) -> Bool {
    lineText(place.line).prefix(offset(place) - lineStart(place.line))
      .allSatisfy { $0 == UInt8(ascii: " ") }
  }

  func isComment(_ line: Int) -> Bool {
    line > 0
      && lineText(line).drop { $0 == UInt8(ascii: " ") }.first == UInt8(ascii: "#")
  }

  func lineStart(_ line: Int) -> Int { source.line(line).lowerBound }

  func lineText(_ line: Int) -> ArraySlice<UInt8> { source.bytes[source.line(line)] }

  func lengthOfLine(from place: Place) -> Int {
    max(
      1, source.characters(offset(place)..<max(source.line(place.line).upperBound, offset(place))))
  }

  /// The text from a place to the next blank, cut where it is long; nothing of a secret.
  func word(at place: Place) -> String {
    let word = source.bytes[offset(place)...].prefix(80).prefix { !" \t\r\n".utf8.contains($0) }
    return shown(word)
  }

  /// Text for a message; nothing of a secret.
  func shown(_ text: some Sequence<UInt8>) -> String {
    source.isSecret ? "…" : String(decoding: Array(text), as: UTF8.self)
  }

  func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}
