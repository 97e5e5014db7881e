extension UnsafeBufferPointer<UInt8> {
  /// The last position up to `end` at which `other` stands.
  func lastPosition(of other: Self, upTo end: Int) -> Int? {
    var position = Swift.min(end, count - other.count)
    while position >= 0 {
      if self[position..<position + other.count].elementsEqual(other) { return position }
      position -= 1
    }
    return nil
  }

  /// The byte position of the code point at `index`, or nil where there are fewer.
  func position(ofCodePoint index: Int) -> Int? {
    var left = index
    for position in indices where self[position] & 0xC0 != 0x80 {
      if left == 0 { return position }
      left -= 1
    }
    return left == 0 ? count : nil
  }

  /// The number of code points before a byte position.
  func codePoints(before position: Int) -> Int {
    self[..<position].reduce(0) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) }
  }
}
