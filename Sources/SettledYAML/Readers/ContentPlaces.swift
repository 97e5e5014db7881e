public import SettledValues

extension YAMLNode {
  /// The place in the file of the UTF-8 offset `offset` inside of a scalar's decoded text.
  ///
  /// Expressions and templates in a file point their carets with it. An offset behind the text, or
  /// in a node that is no scalar, has the place of the node.
  public func place(ofContentOffset offset: Int) -> Place {
    guard kind == .scalar, offset >= 0, offset <= Int(record.count) else { return place }
    let isEnd = offset == Int(record.count) && offset > 0
    let found = document.withText(of: record) { text in
      var walk = ContentWalk(document.source, target: isEnd ? offset - 1 : offset, from: start)
      walk.run(style, text)
      return walk.found
    }
    guard let found else { return place }
    let isBreak = document.source.byte(found) == UInt8(ascii: "\n")
    return document.source.place(ofByte: isEnd && !isBreak ? found + 1 : found)
  }

  /// An error at a part of a scalar's text, with its line.
  public func fault(
    _ message: String, atContentOffset offset: Int, length: Int = 1, hint: String? = nil,
    notes: [Diagnostic.Note] = []
  ) -> Diagnostic {
    let place = place(ofContentOffset: offset)
    return Diagnostic(
      .error, message, at: place, excerpt: excerpt(at: place, length: length), hint: hint,
      notes: notes)
  }

  /// Where the text or its opening quote starts: behind tag and anchor, at which the mark is.
  private var start: Int {
    let source = document.source
    var offset = source.offset(line: record.line, column: record.column)
    while let byte = source.byte(offset), byte == UInt8(ascii: "!") || byte == UInt8(ascii: "&") {
      while let byte = source.byte(offset), !" \t\r\n".utf8.contains(byte) { offset += 1 }
      while let byte = source.byte(offset), " \t\r\n#".utf8.contains(byte) {
        if byte == UInt8(ascii: "#") {
          offset = source.bytes[offset...].firstIndex(of: 10) ?? offset
        }
        offset += 1
      }
    }
    return offset
  }
}
