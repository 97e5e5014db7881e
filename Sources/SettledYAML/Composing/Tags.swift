internal import CLibYAML
internal import SettledValues

/// Tags as assertions, and what else is checked of a node as it comes.
extension Composer {
  private static let prefix = "tag:yaml.org,2002:"

  /// Applies the tag of a scalar: it must be one of the core schema and fit the text.
  mutating func assert(
    _ event: UnsafePointer<yaml_event_t>, _ text: UnsafeBufferPointer<UInt8>,
    _ record: inout NodeRecord
  ) {
    record.flags.insert(.isTagged)
    let mark = event.pointee.start_mark
    guard let name = name(event.pointee.data.scalar.tag, mark), name != "str", name != "!" else {
      return
    }
    let plain = ScalarClass(plain: text)
    switch (name, plain) {
    case ("null", .null), ("bool", .yes), ("bool", .no), ("int", .integer), ("int", .octal),
      ("int", .hexadecimal), ("float", .float), ("float", .infinity),
      ("float", .negativeInfinity), ("float", .notANumber):
      record.scalarClass = plain
    case ("float", .integer), ("float", .paddedFloat):
      record.scalarClass = .float
    case ("map", _), ("seq", _):
      reportTag("'!!\(name)' on text", mark)
    default:
      let shown =
        source.isSecret ? "this text" : "'\(String(decoding: text.prefix(40), as: UTF8.self))'"
      findings.add(
        "\(shown) is not what its tag '!!\(name)' says", at: place(mark),
        length: name.utf8.count + 2, hint: plain.reason)
    }
  }

  /// Applies the tag of a map or list.
  mutating func assertContainer(
    _ tag: UnsafePointer<UInt8>, isMap: Bool, at mark: yaml_mark_t
  ) {
    guard let name = name(tag, mark), name != "!", name != (isMap ? "map" : "seq") else { return }
    reportTag("'!!\(name)' on a \(isMap ? "map" : "list")", mark)
  }

  /// The short name of a tag of the core schema, `!` for the one without a name, or nil with a
  /// finding.
  private mutating func name(_ tag: UnsafePointer<UInt8>?, _ mark: yaml_mark_t) -> String? {
    guard let tag else { return nil }
    let full = String(cString: tag)
    if full == "!" { return full }
    let written = writtenTag(mark)
    let name = full.hasPrefix(Self.prefix) ? String(full.dropFirst(Self.prefix.count)) : ""
    let isKnown = ["str", "int", "float", "bool", "null", "map", "seq"].contains(name)
    if isKnown, !written.contains("%") { return name }
    reportTag("unknown tag '\(written)'", mark)
    return nil
  }

  private mutating func reportTag(_ message: String, _ mark: yaml_mark_t) {
    findings.add(
      message, at: source.place(ofByte: tagOffset(mark)),
      length: writtenTag(mark).unicodeScalars.count,
      hint: "settings know !!str, !!int, !!float, !!bool, !!null, !!map and !!seq")
  }

  /// Where the tag of a node starts: its mark may be that of its anchor.
  private mutating func tagOffset(_ mark: yaml_mark_t) -> Int {
    var offset = cursor.offset(of: mark.index, in: source)
    while let byte = source.byte(offset), byte != UInt8(ascii: "!") { offset += 1 }
    return offset
  }

  private mutating func writtenTag(_ mark: yaml_mark_t) -> String {
    let start = tagOffset(mark)
    var end = start
    while let byte = source.byte(end), end - start < 80, !" \t\r\n".utf8.contains(byte) { end += 1 }
    return String(decoding: source.bytes[start..<end], as: UTF8.self)
  }

  /// Refuses a plain scalar glued to a `?` in brackets: libyaml drops the `?`.
  mutating func checkQuestionMark(_ event: UnsafePointer<yaml_event_t>) {
    let mark = event.pointee.start_mark
    let start = cursor.offset(of: mark.index, in: source)
    guard start > source.start, source.bytes[start - 1] == UInt8(ascii: "?"),
      event.pointee.end_mark.index > mark.index
    else { return }
    findings.add(
      "'?' before a value in brackets", at: source.place(ofByte: start - 1),
      hint: "quote the text, or put a space behind the '?' of a key")
  }

  mutating func reportScalarSize(_ event: UnsafePointer<yaml_event_t>, _ size: Int) {
    findings.add(
      "text of \(size) bytes: the limit 'scalar_size' is \(limits.scalarSize)",
      at: place(event.pointee.start_mark))
  }

  /// Reports what is nested too deep; reading ends there.
  mutating func reportDepth(_ mark: yaml_mark_t) -> Bool {
    findings.add(
      "maps and lists are nested too deep: the limit 'depth' is \(limits.depth)", at: place(mark))
    return false
  }
}
