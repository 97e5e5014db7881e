/// The white space that a `-` in a tag takes away: Unicode's, line breaks too.
enum WhiteSpace {
  /// The position after the last byte of `text` that is not white space.
  static func end(ofTextIn text: ArraySlice<UInt8>) -> Int {
    var rest = text
    while let last = rest.last {
      if last < 0x80 {
        guard isSpace(last) else { break }
        rest = rest.dropLast()
      } else {
        let start = rest.lastIndex { $0 & 0xC0 != 0x80 } ?? rest.startIndex
        guard isSpace(rest[start...]) else { break }
        rest = rest[..<start]
      }
    }
    return rest.endIndex
  }

  /// The position of the first byte of `text` that is not white space.
  static func start(ofTextIn text: ArraySlice<UInt8>) -> Int {
    var rest = text
    while let first = rest.first {
      if first < 0x80 {
        guard isSpace(first) else { break }
        rest = rest.dropFirst()
      } else {
        let end = rest.dropFirst().firstIndex { $0 & 0xC0 != 0x80 } ?? rest.endIndex
        guard isSpace(rest[..<end]) else { break }
        rest = rest[end...]
      }
    }
    return rest.startIndex
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte) || (0x1C...0x1F).contains(byte)
  }

  private static func isSpace(_ bytes: ArraySlice<UInt8>) -> Bool {
    let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
    return scalars.first?.properties.isWhitespace ?? false
  }
}
