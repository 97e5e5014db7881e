internal import Glibc
internal import SettledValues

/// The bytes of a file and what messages show of them.
struct Source {
  let bytes: [UInt8]
  let file: String
  /// Where the text starts: after a byte order mark, which marks do not count.
  let start: Int
  /// Whether messages may show none of the text.
  let isSecret: Bool

  /// The longest line shown, in code points.
  private static let shownLength = 160

  init(_ bytes: [UInt8], file: String, isSecret: Bool) {
    self.bytes = bytes
    self.file = file
    self.isSecret = isSecret
    start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The place of a mark, which counts from 0; the file as a whole for what no line holds.
  func place(line: UInt32, column: UInt32) -> Place {
    guard line != .max else { return Place(file: file) }
    return Place(file: file, line: Int(line) + 1, column: Int(column) + 1)
  }

  /// The place of the byte at `offset`.
  func place(ofByte offset: Int) -> Place {
    let end = min(max(offset, start), bytes.count)
    var line = 1
    var lineStart = start
    for position in start..<end where bytes[position] == UInt8(ascii: "\n") {
      line += 1
      lineStart = position + 1
    }
    return Place(file: file, line: line, column: characters(lineStart..<end) + 1)
  }

  /// The byte at a place, which counts from 1; the end of the line or file where it lies behind.
  func offset(line: Int, column: Int) -> Int {
    var offset = lineStart(line)
    var rest = column - 1
    while rest > 0, offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") {
      offset += 1
      while offset < bytes.count, Self.continues(bytes[offset]) { offset += 1 }
      rest -= 1
    }
    return offset
  }

  func offset(line: UInt32, column: UInt32) -> Int {
    offset(line: Int(line) + 1, column: Int(column) + 1)
  }

  func offset(of place: Place) -> Int {
    offset(line: place.line, column: place.column)
  }

  /// The bytes of a line, which counts from 1, without its break.
  func line(_ number: Int) -> Range<Int> {
    let first = lineStart(number)
    var end = first
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
    if end > first, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return first..<end
  }

  /// The line of a place with `length` code points underlined, where messages may show it.
  ///
  /// A long line is cut behind, and not shown where the place lies in what is cut.
  func excerpt(at place: Place, length: Int) -> Diagnostic.Excerpt? {
    guard !isSecret, place.line > 0 else { return nil }
    let range = line(place.line)
    guard place.column < Self.shownLength else { return nil }
    let end = offset(line: place.line, column: Self.shownLength + 1)
    let text = String(decoding: bytes[range.lowerBound..<min(end, range.upperBound)], as: UTF8.self)
    return Diagnostic.Excerpt(line: text + (end < range.upperBound ? "…" : ""), length: length)
  }

  /// The number of code points in a range of bytes.
  func characters(_ range: Range<Int>) -> Int {
    bytes[range].reduce(0) { $0 + (Self.continues($1) ? 0 : 1) }
  }

  func byte(_ offset: Int) -> UInt8? {
    bytes.indices.contains(offset) ? bytes[offset] : nil
  }

  private func lineStart(_ number: Int) -> Int {
    var offset = start
    for _ in 1..<max(number, 1) {
      guard let after = breakAfter(offset) else { return bytes.count }
      offset = after
    }
    return offset
  }

  private func breakAfter(_ offset: Int) -> Int? {
    bytes.withUnsafeBytes { raw -> Int? in
      guard let base = raw.baseAddress, offset < raw.count else { return nil }
      guard let found = memchr(base + offset, Int32(UInt8(ascii: "\n")), raw.count - offset) else {
        return nil
      }
      return UnsafeRawPointer(found) - base + 1
    }
  }

  static func continues(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
