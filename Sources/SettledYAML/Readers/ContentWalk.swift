/// Walks a scalar's source beside its decoded text, up to an offset in the text.
///
/// It repeats what libyaml decodes (`scanner.c`, the functions `yaml_parser_scan_…_scalar`).
struct ContentWalk {
  /// The byte of the source that gave the byte at the target.
  private(set) var found: Int?
  let source: Source
  let target: Int
  var position: Int
  private var produced = 0

  init(_ source: Source, target: Int, from position: Int) {
    self.source = source
    self.target = target
    self.position = position
  }

  /// Walks a scalar of `style` whose decoded text is `text`.
  mutating func run(_ style: YAMLNode.Style, _ text: UnsafeBufferPointer<UInt8>) {
    switch style {
    case .plain: flow(closing: nil)
    case .singleQuoted: flow(closing: UInt8(ascii: "'"))
    case .doubleQuoted: flow(closing: UInt8(ascii: "\""))
    case .literal, .folded: block(isFolded: style == .folded, text)
    case .block, .flow: break
    }
    if found == nil, produced == target { found = position }
  }

  private var isDone: Bool { found != nil || position >= source.bytes.count }

  private var byte: UInt8? { source.byte(position) }

  /// Notes that the source at `offset` gave `count` bytes.
  private mutating func emit(_ count: Int, from offset: Int) {
    if found == nil, target < produced + count { found = offset }
    produced += count
  }

  private mutating func verbatim() {
    emit(1, from: position)
    position += 1
  }

  // MARK: Plain and quoted scalars

  private mutating func flow(closing: UInt8?) {
    if closing != nil { position += 1 }
    while !isDone, let byte {
      switch byte {
      case closing:
        guard byte == UInt8(ascii: "'"), source.byte(position + 1) == byte else { return }
        emit(1, from: position)
        position += 2
      case UInt8(ascii: "\\") where closing == UInt8(ascii: "\""): escape()
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): space()
      default: verbatim()
      }
      if closing == nil, produced > target { return }
    }
  }

  /// White space: as it is within a line, folded around line breaks.
  private mutating func space() {
    let start = position
    while byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { position += 1 }
    guard atBreak else {
      for offset in start..<position { emit(1, from: offset) }
      return
    }
    let first = position
    takeBreak()
    let breaks = blankLines()
    if breaks.isEmpty { emit(1, from: first) }
    for offset in breaks { emit(1, from: offset) }
  }

  /// Passes over blank lines and the indentation behind them; gives where their breaks are.
  private mutating func blankLines() -> [Int] {
    var breaks: [Int] = []
    while let byte {
      if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
        position += 1
      } else if atBreak {
        breaks.append(position)
        takeBreak()
      } else {
        break
      }
    }
    return breaks
  }

  private mutating func escape() {
    let start = position
    position += 1
    if atBreak {
      takeBreak()
      for offset in blankLines() { emit(1, from: offset) }
      return
    }
    guard let code = byte else { return }
    position += 1
    switch code {
    case UInt8(ascii: "x"): numeric(2, from: start)
    case UInt8(ascii: "u"): numeric(4, from: start)
    case UInt8(ascii: "U"): numeric(8, from: start)
    case UInt8(ascii: "N"), UInt8(ascii: "_"): emit(2, from: start)
    case UInt8(ascii: "L"), UInt8(ascii: "P"): emit(3, from: start)
    default: emit(1, from: start)
    }
  }

  private mutating func numeric(_ digits: Int, from start: Int) {
    let end = min(position + digits, source.bytes.count)
    let value = source.bytes[position..<end].reduce(0) { $0 << 4 | Decimal64.digit($1) & 15 }
    position = end
    emit(value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x1_0000 ? 3 : 4, from: start)
  }

  // MARK: Block scalars

  private mutating func block(isFolded: Bool, _ text: UnsafeBufferPointer<UInt8>) {
    endLine()
    let indent = indentation(text)
    var leading: Int?
    var trailing: [Int] = []
    var wasIndented = false
    while !isDone {
      guard skipIndent(indent) else {
        trailing.append(position)
        endLine()
        continue
      }
      let isIndented = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
      if let leading {
        let isSpace = isFolded && !wasIndented && !isIndented
        if !isSpace || trailing.isEmpty { emit(1, from: leading) }
      }
      for offset in trailing { emit(1, from: offset) }
      trailing = []
      wasIndented = isIndented
      while !isDone, !atBreak { verbatim() }
      leading = position
      endLine()
    }
    // What is left are the breaks at the end, as far as the text has them.
    for offset in [leading].compactMap({ $0 }) + trailing { emit(1, from: offset) }
  }

  /// Passes over the indentation; false at a line that has no text.
  private mutating func skipIndent(_ indent: Int) -> Bool {
    var column = 0
    while column < indent, byte == UInt8(ascii: " ") {
      position += 1
      column += 1
    }
    return !atBreak
  }

  /// The indentation of a block: what the first line of text has more than its decoded text.
  private func indentation(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    let decoded = text.drop { $0 == UInt8(ascii: "\n") }.prefix { $0 == UInt8(ascii: " ") }.count
    var start = position
    var offset = position
    while let byte = source.byte(offset) {
      if byte == UInt8(ascii: "\n") {
        start = offset + 1
      } else if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\r") {
        break
      }
      offset += 1
    }
    return max(0, offset - start - decoded)
  }

  private var atBreak: Bool {
    byte == UInt8(ascii: "\n")
      || byte == UInt8(ascii: "\r") && source.byte(position + 1) == UInt8(ascii: "\n")
  }

  private mutating func takeBreak() {
    position += byte == UInt8(ascii: "\r") ? 2 : 1
  }

  private mutating func endLine() {
    while position < source.bytes.count, !atBreak { position += 1 }
    if position < source.bytes.count { takeBreak() }
  }
}
