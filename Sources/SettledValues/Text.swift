extension String {
  /// Tells whether two strings hold the same UTF-8 bytes.
  ///
  /// Swift's `==` also holds for canonically equivalent text; settings never treat two spellings as
  /// one.
  public func hasSameBytes(as other: String) -> Bool {
    self == other && utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
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
