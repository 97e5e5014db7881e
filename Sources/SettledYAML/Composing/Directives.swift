internal import SettledValues

/// What stands before a document's first line of content.
enum Directives {
  /// Reports what may not stand after `offset`; tells whether there is such a thing.
  ///
  /// Before the document that is `%TAG`, which libyaml reads in quadratic time; after it, any
  /// directive: it would start a second document.
  static func report(after offset: Int, isFirst: Bool, _ findings: inout Findings) -> Bool {
    let source = findings.source
    var start = offset
    if !isFirst { start = lineStart(source, offset) }
    while start < source.bytes.count {
      let end = source.bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? source.bytes.count
      switch kind(source.bytes[start..<end]) {
      case .nothing: break
      case .directive(let isTag):
        guard isTag || !isFirst else { break }
        findings.add(
          isFirst ? "'%TAG' is not allowed" : "a directive after the document",
          at: source.place(ofByte: start), length: 4, hint: "delete the line")
        return true
      case .content: return false
      }
      start = end + 1
    }
    return false
  }

  private enum Kind {
    case nothing, content
    case directive(isTag: Bool)
  }

  private static func kind(_ line: ArraySlice<UInt8>) -> Kind {
    if line.first == UInt8(ascii: "%") { return .directive(isTag: line.starts(with: "%TAG".utf8)) }
    let text = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    guard let first = text.first, first != UInt8(ascii: "\r"), first != UInt8(ascii: "#") else {
      return .nothing
    }
    return line.starts(with: "...".utf8) ? .nothing : .content
  }

  /// The first line that starts at `offset` or behind it.
  private static func lineStart(_ source: Source, _ offset: Int) -> Int {
    guard offset > source.start, source.byte(offset - 1) != UInt8(ascii: "\n") else {
      return offset
    }
    let rest = source.bytes[min(offset, source.bytes.count)...]
    return (rest.firstIndex(of: UInt8(ascii: "\n")) ?? source.bytes.count - 1) + 1
  }
}
