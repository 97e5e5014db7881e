import CLinux

extension String {
  /// Runs `body` with the UTF-8 bytes.
  @inlinable
  package func withBytes<Outcome>(_ body: (UnsafeBufferPointer<UInt8>) -> Outcome) -> Outcome {
    if let outcome = utf8.withContiguousStorageIfAvailable(body) { return outcome }
    return Array(utf8).withUnsafeBufferPointer(body)
  }

  /// Whether `other` is part of this text.
  func containsBytes(_ other: String) -> Bool {
    withBytes { text in other.withBytes { text.position(of: $0, from: 0) != nil } }
  }

  /// Whether this text starts with `other`, by bytes.
  func startsWithBytes(_ other: String) -> Bool {
    withBytes { text in
      other.withBytes { $0.count <= text.count && text.prefix($0.count).elementsEqual($0) }
    }
  }

  /// Whether this text ends with `other`, by bytes.
  func endsWithBytes(_ other: String) -> Bool {
    withBytes { text in
      other.withBytes { $0.count <= text.count && text.suffix($0.count).elementsEqual($0) }
    }
  }

  /// The parts between occurrences of `separator`, at most `limit`, as byte ranges.
  func ranges(separatedBy separator: String, limit: Int) -> [Range<Int>] {
    withBytes { text in
      separator.withBytes { separator in
        var ranges: [Range<Int>] = []
        var start = 0
        while ranges.count + 1 < limit, let end = text.position(of: separator, from: start) {
          ranges.append(start..<end)
          start = end + separator.count
        }
        return ranges + [start..<text.count]
      }
    }
  }

  /// The text in a range of bytes, which must begin and end between code points.
  func text(in range: Range<Int>) -> String {
    withBytes { String(decoding: $0[range], as: UTF8.self) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The first position from `start` at which `other` stands, in linear time.
  func position(of other: Self, from start: Int) -> Int? {
    guard other.count <= count - start else { return nil }
    guard let own = baseAddress, let wanted = other.baseAddress, other.count > 0 else {
      return start
    }
    guard let found = memmem(own + start, count - start, wanted, other.count) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(own)
  }

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
