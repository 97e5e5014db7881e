/// A part of an expression's source, in UTF-8 bytes.
package struct SourceRange: Sendable, Hashable {
  /// The first byte.
  package var start: Int32
  /// The byte after the last.
  package var end: Int32

  /// Creates a range from byte offsets.
  package init(_ start: Int, _ end: Int) {
    self.start = Int32(clamping: start)
    self.end = Int32(clamping: end)
  }

  /// The range from the start of this one to the end of another.
  package func through(_ other: SourceRange) -> SourceRange {
    SourceRange(Int(start), Int(other.end))
  }

  /// The offsets as Swift's own range.
  package var offsets: Range<Int> { Int(start)..<max(Int(start), Int(end)) }
}
