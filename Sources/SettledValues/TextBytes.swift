internal import CLinux

extension String {
  /// Runs `body` with the UTF-8 bytes.
  @inlinable
  package func withBytes<Outcome>(_ body: (UnsafeBufferPointer<UInt8>) -> Outcome) -> Outcome {
    if let outcome = utf8.withContiguousStorageIfAvailable(body) { return outcome }
    return Array(utf8).withUnsafeBufferPointer(body)
  }

  /// Whether `other` is part of this text.
  package func containsBytes(_ other: String) -> Bool {
    withBytes { text in other.withBytes { text.position(of: $0, from: 0) != nil } }
  }

  /// Whether this text starts with `other`, by bytes.
  @inlinable
  package func startsWithBytes(_ other: String) -> Bool {
    withBytes { text in
      other.withBytes { $0.count <= text.count && text.prefix($0.count).elementsEqual($0) }
    }
  }

  /// Whether this text ends with `other`, by bytes.
  @inlinable
  package func endsWithBytes(_ other: String) -> Bool {
    withBytes { text in
      other.withBytes { $0.count <= text.count && text.suffix($0.count).elementsEqual($0) }
    }
  }

  /// The parts between occurrences of `separator`, at most `limit`, as byte ranges.
  package func ranges(separatedBy separator: String, limit: Int) -> [Range<Int>] {
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

  /// The parts between occurrences of an ASCII character, also where a mark combines with it.
  package func parts(between separator: Unicode.Scalar, keepingEmpty: Bool = false) -> [Substring] {
    utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: !keepingEmpty)
      .map { Substring($0) }
  }

  /// The text with `other` in the place of each `part`, by bytes.
  package func replacingBytes(of part: String, with other: String) -> String {
    guard !part.isEmpty else { return self }
    return ranges(separatedBy: part, limit: .max).map { text(in: $0) }.joined(separator: other)
  }

  /// The text in a range of bytes, which must begin and end between code points.
  @inlinable
  package func text(in range: Range<Int>) -> String {
    withBytes { String(decoding: $0[range], as: UTF8.self) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The first position from `start` at which `other` stands, in linear time.
  package func position(of other: Self, from start: Int) -> Int? {
    guard other.count <= count - start else { return nil }
    guard let own = baseAddress, let wanted = other.baseAddress, other.count > 0 else {
      return start
    }
    guard let found = memmem(own + start, count - start, wanted, other.count) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(own)
  }
}
