import Glibc

extension String {
  /// Tells whether two strings hold the same UTF-8 bytes.
  ///
  /// Swift's `==` also holds for canonically equivalent text; settings never treat two spellings as
  /// one.
  @inlinable
  public func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // Strings that are the same object, or short and the same, are so to the bit.
    let isSameObject = withUnsafeBytes(of: self) { own in
      withUnsafeBytes(of: other) { Self.words(own) == Self.words($0) }
    }
    return isSameObject || comparesEqual(to: other)
  }

  /// The two words that a string is made of.
  @inlinable
  static func words(_ bytes: UnsafeRawBufferPointer) -> SIMD2<UInt64> {
    bytes.loadUnaligned(as: SIMD2<UInt64>.self)
  }

  /// Compares the bytes of strings of one length.
  @usableFromInline
  func comparesEqual(to other: String) -> Bool {
    let count = utf8.count
    let isSame = utf8.withContiguousStorageIfAvailable { own in
      other.utf8.withContiguousStorageIfAvailable { others in
        guard let own = own.baseAddress, let others = others.baseAddress else { return true }
        return memcmp(own, others, count) == 0
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Tells whether this string comes before another in the order of their UTF-8 bytes.
  ///
  /// It is also the order of their code points (RFC 3629, section 1).
  public func precedesByBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// The candidate that is most like this string, where one is close enough to be meant.
  ///
  /// Close means an edit distance of at most a third of the name, and of 1 for names of up to three
  /// characters.
  public func closest(among candidates: some Sequence<String>) -> String? {
    let limit = max(1, unicodeScalars.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let distance = editDistance(to: candidate, limit: best.map { $0.distance - 1 } ?? limit)
      if let distance { best = (candidate, distance) }
    }
    return best?.name
  }

  /// The number of insertions, deletions, replacements and swaps between two strings, letter case
  /// aside, or nil when it is above `limit`.
  private func editDistance(to other: String, limit: Int) -> Int? {
    let left = Array(lowercased().unicodeScalars)
    let right = Array(other.lowercased().unicodeScalars)
    guard limit >= 0, abs(left.count - right.count) <= limit else { return nil }
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for (row, scalar) in left.enumerated() {
      var current = [row + 1]
      for (column, candidate) in right.enumerated() {
        var cost = min(last[column + 1] + 1, current[column] + 1)
        cost = min(cost, last[column] + (scalar == candidate ? 0 : 1))
        if row > 0, column > 0, scalar == right[column - 1], left[row - 1] == candidate {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count] <= limit ? last[right.count] : nil
  }
}
