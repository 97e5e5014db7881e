import Expressions

/// Splits a template into text and tags, and gives the text its white space (Jinja2, "Whitespace
/// Control"; the rules are those of its `lexer.py`).
struct Scanner {
  /// The start of a tag.
  enum Opening {
    case output
    case block
  }

  let source: TemplateSource
  private let options: TemplateOptions
  /// The end of what is read: the line break at the end may be left out.
  private let end: Int
  private(set) var position = 0
  /// Where the last tag starts.
  private(set) var tagStart = 0
  /// Whether what was read last ended in a line break.
  private var isAtLineStart = true

  init(_ source: TemplateSource, options: TemplateOptions) {
    self.source = source
    self.options = options
    var end = source.bytes.count
    if !options.keepTrailingNewline, source.bytes.last == 0x0A {
      end -= source.bytes.dropLast().last == 0x0D ? 2 : 1
    }
    self.end = end
  }

  /// Reads text up to the next tag; comments and raw blocks are passed on the way.
  ///
  /// Gives the ranges of the text and the start of the tag, nil at the end of the template.
  mutating func next() throws(TemplateError) -> (text: [Range<Int>], tag: Opening?) {
    var text: [Range<Int>] = []
    while let tag = nextDelimiter(from: position) {
      tagStart = tag
      let sign = byte(tag + 2)
      let kind = byte(tag + 1)
      add(trimmed(position..<tag, before: kind, sign: sign), to: &text)
      let afterSign = tag + 2 + (sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") ? 1 : 0)
      position = afterSign
      isAtLineStart = false
      switch kind {
      case UInt8(ascii: "#"): try skipComment(from: tag)
      case UInt8(ascii: "%"):
        guard let start = rawStart(from: afterSign) else { return (text, .block) }
        try readRaw(from: start, tag: tag, into: &text)
      default: return (text, .output)
      }
    }
    add(position..<max(position, end), to: &text)
    position = end
    return (text, nil)
  }

  /// Passes the end of a tag, which must stand at `offset`.
  mutating func closeTag(_ opening: Opening, at offset: Int) throws(TemplateError) {
    position = offset
    let sign = byte(position)
    if sign == UInt8(ascii: "-") || (sign == UInt8(ascii: "+") && opening == .block) {
      position += 1
    }
    let closing = opening == .block ? "%}" : "}}"
    guard source.bytes[min(position, end)..<end].starts(with: closing.utf8) else {
      guard position < end else {
        throw source.error(
          "'\(opening == .block ? "{%" : "{{")' has no '\(closing)'", at: tagStart..<tagStart + 2)
      }
      let found = String(decoding: source.bytes[position..<min(position + 2, end)], as: UTF8.self)
      throw source.error("expected '\(closing)', not '\(found)'", at: position..<position + 1)
    }
    position += 2
    passWhitespace(sign: sign, trims: opening == .block && options.trimBlocks)
  }

  /// The word at `offset` or after blanks, and the position after it.
  func word(at offset: Int) -> (text: String, range: Range<Int>) {
    var start = offset
    while start < end, Self.isBlank(source.bytes[start]) { start += 1 }
    var stop = start
    while stop < end, Self.isWordByte(source.bytes[stop]) { stop += 1 }
    return (String(decoding: source.bytes[start..<stop], as: UTF8.self), start..<stop)
  }

  /// The byte at `offset`, or 0 at the end.
  func byte(_ offset: Int) -> UInt8 { offset < end ? source.bytes[offset] : 0 }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private func add(_ range: Range<Int>, to text: inout [Range<Int>]) {
    if !range.isEmpty { text.append(range) }
  }

  /// The next `{{`, `{%` or `{#`.
  private func nextDelimiter(from start: Int) -> Int? {
    var start = start
    while let brace = source.bytes[min(start, end)..<end].firstIndex(of: UInt8(ascii: "{")) {
      if "{%#".utf8.contains(byte(brace + 1)) { return brace }
      start = brace + 1
    }
    return nil
  }

  /// Text without the white space that the tag after it takes away.
  private func trimmed(_ text: Range<Int>, before kind: UInt8, sign: UInt8) -> Range<Int> {
    let bytes = source.bytes[text]
    if sign == UInt8(ascii: "-") {
      return text.lowerBound..<WhiteSpace.end(ofTextIn: bytes)
    }
    guard options.lstripBlocks, sign != UInt8(ascii: "+"), kind != UInt8(ascii: "{") else {
      return text
    }
    let newline = bytes.lastIndex(of: 0x0A)
    let lineStart = newline.map { $0 + 1 } ?? text.lowerBound
    guard newline != nil || isAtLineStart,
      WhiteSpace.end(ofTextIn: bytes[lineStart...]) == lineStart
    else { return text }
    return text.lowerBound..<lineStart
  }

  /// Passes what a tag's end takes away of the text after it.
  private mutating func passWhitespace(sign: UInt8, trims: Bool) {
    let start = position
    if sign == UInt8(ascii: "-") {
      position = WhiteSpace.start(ofTextIn: source.bytes[position..<end])
    } else if trims, sign != UInt8(ascii: "+") {
      if byte(position) == 0x0D, byte(position + 1) == 0x0A { position += 1 }
      if byte(position) == 0x0A { position += 1 }
    }
    isAtLineStart = position > start && source.bytes[position - 1] == 0x0A
  }

  private mutating func skipComment(from tag: Int) throws(TemplateError) {
    var offset = position
    while offset + 1 < end {
      if byte(offset) == UInt8(ascii: "#"), byte(offset + 1) == UInt8(ascii: "}") {
        let sign = offset > position ? byte(offset - 1) : 0
        position = offset + 2
        passWhitespace(sign: sign, trims: options.trimBlocks)
        return
      }
      offset += 1
    }
    throw source.error("'{#' has no '#}'", at: tag..<tag + 2)
  }

  /// The position after the tag `{% raw %}` whose sign ends at `offset`, if it is one.
  private func rawStart(from offset: Int) -> (position: Int, sign: UInt8)? {
    let (name, range) = word(at: offset)
    guard name == "raw" else { return nil }
    let next = word(at: range.upperBound).range.lowerBound
    let sign = byte(next)
    let close = next + (sign == UInt8(ascii: "-") ? 1 : 0)
    guard byte(close) == UInt8(ascii: "%"), byte(close + 1) == UInt8(ascii: "}") else { return nil }
    return (close + 2, sign)
  }

  /// Reads a raw block as text; no line break is dropped after `{% raw %}`, as in Jinja2.
  private mutating func readRaw(
    from start: (position: Int, sign: UInt8), tag: Int, into text: inout [Range<Int>]
  ) throws(TemplateError) {
    position = start.position
    passWhitespace(sign: start.sign, trims: false)
    var search = position
    while let brace = source.bytes[search..<end].firstIndex(of: UInt8(ascii: "{")) {
      search = brace + 1
      guard byte(brace + 1) == UInt8(ascii: "%") else { continue }
      let sign = byte(brace + 2)
      let isSigned = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")
      let (name, range) = word(at: brace + (isSigned ? 3 : 2))
      guard name == "endraw" else { continue }
      add(trimmed(position..<brace, before: UInt8(ascii: "%"), sign: sign), to: &text)
      let close = word(at: range.upperBound).range.lowerBound
      try closeTag(.block, at: close)
      return
    }
    throw source.error("'raw' has no 'endraw'", at: tag..<tag + 2)
  }
}
