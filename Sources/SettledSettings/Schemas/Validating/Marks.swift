/// Sets of evaluated entries or elements, kept on a stack of words.
extension Validator {
  /// No set: nobody asks what is evaluated.
  var noMarks: Int { -1 }

  /// Opens an empty set for so many entries or elements.
  mutating func openMarks(_ count: Int) -> Int {
    let start = marks.count
    for _ in 0..<(count + 63) / 64 { marks.append(0) }
    return start
  }

  /// Ends the newest set, and adds it to another.
  mutating func closeMarks(_ set: Int, _ count: Int, into outer: Int) {
    if outer >= 0 {
      for word in 0..<(count + 63) / 64 { marks[outer + word] |= marks[set + word] }
    }
    marks.removeLast(marks.count - set)
  }

  mutating func mark(_ set: Int, _ position: Int) {
    guard set >= 0 else { return }
    marks[set + position / 64] |= 1 << UInt64(position % 64)
  }

  func isMarked(_ set: Int, _ position: Int) -> Bool {
    marks[set + position / 64] & 1 << UInt64(position % 64) != 0
  }

  /// Runs `body` with a set of its own where one is asked for; the set counts if `body` holds.
  mutating func marking(
    _ node: Tree.Node, _ outer: Int, _ body: (inout Self, Int) -> Bool
  ) -> Bool {
    guard outer >= 0 else { return body(&self, outer) }
    let count = tree.count(of: node)
    let own = openMarks(count)
    let holds = body(&self, own)
    closeMarks(own, count, into: holds ? outer : noMarks)
    return holds
  }
}
