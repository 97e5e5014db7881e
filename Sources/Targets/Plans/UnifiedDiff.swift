/// The difference of two texts in the form that diff(1) writes with `-u`, and patch(1) takes.
public struct UnifiedDiff: Sendable {
  /// The unchanged lines shown before and after a change.
  private static let context = 3
  /// The size in bytes up to which two files are compared line by line.
  public static let sizeLimit = 1 << 20

  private enum Line {
    case kept(Substring)
    case removed(Substring)
    case added(Substring)
  }

  private let lines: [Line]

  /// Compares two texts.
  ///
  /// - Parameters:
  ///   - old: the former text.
  ///   - new: the new text.
  ///   - mask: the new text, line for line, as it is shown: then nothing is shown of lines that the
  ///     old text alone has.
  public init(from old: String, to new: String, mask: String? = nil) {
    let shown = mask.map(Self.lines(of:))
    let former = Self.lines(of: old)
    let wanted = Self.lines(of: new)
    let changes = LineChanges(from: former, to: wanted)
    var lines: [Line] = []
    var (left, right) = (0, 0)
    while left < former.count || right < wanted.count {
      if changes.removed.contains(left) {
        lines.append(.removed(shown == nil ? former[left] : "(secret)\n"))
        left += 1
      } else if changes.added.contains(right) {
        lines.append(.added(shown?[right] ?? wanted[right]))
        right += 1
      } else {
        lines.append(.kept(shown?[right] ?? former[left]))
        (left, right) = (left + 1, right + 1)
      }
    }
    self.lines = lines
  }

  /// The lines of a text, each with its line break, which the last one may lack.
  private static func lines(of text: String) -> [Substring] {
    var lines: [Substring] = []
    var rest = text[...]
    while !rest.isEmpty {
      let end = rest.utf8.firstIndex(of: UInt8(ascii: "\n")).map(rest.utf8.index(after:))
      lines.append(rest[..<(end ?? rest.endIndex)])
      rest = rest[(end ?? rest.endIndex)...]
    }
    return lines
  }

  /// The difference with a header that names both sides; empty where there is none.
  public func text(from oldName: String, to newName: String) -> String {
    let hunks = hunks
    guard !hunks.isEmpty else { return "" }
    return "--- \(oldName)\n+++ \(newName)\n" + hunks.map(text(of:)).joined()
  }

  /// The ranges of lines that are shown together.
  private var hunks: [Range<Int>] {
    var hunks: [Range<Int>] = []
    for (position, line) in lines.enumerated() {
      if case .kept = line { continue }
      let range =
        max(0, position - Self.context)..<min(lines.count, position + Self.context + 1)
      if let last = hunks.last, last.upperBound >= range.lowerBound {
        hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
      } else {
        hunks.append(range)
      }
    }
    return hunks
  }

  private func text(of hunk: Range<Int>) -> String {
    let before = Self.counts(lines[..<hunk.lowerBound])
    let inside = Self.counts(lines[hunk])
    let old = Self.header(before.old, inside.old)
    let new = Self.header(before.new, inside.new)
    return "@@ -\(old) +\(new) @@\n" + lines[hunk].map(Self.text(of:)).joined()
  }

  private static func header(_ before: Int, _ count: Int) -> String {
    let start = count == 0 ? before : before + 1
    return count == 1 ? "\(start)" : "\(start),\(count)"
  }

  private static func counts(_ lines: ArraySlice<Line>) -> (old: Int, new: Int) {
    lines.reduce(into: (old: 0, new: 0)) { counts, line in
      switch line {
      case .kept: counts = (counts.old + 1, counts.new + 1)
      case .removed: counts.old += 1
      case .added: counts.new += 1
      }
    }
  }

  private static func text(of line: Line) -> String {
    switch line {
    case .kept(let text): " " + ended(text)
    case .removed(let text): "-" + ended(text)
    case .added(let text): "+" + ended(text)
    }
  }

  /// A line as it is shown: that it has no line break is said below it.
  private static func ended(_ line: Substring) -> String {
    line.utf8.last == UInt8(ascii: "\n") ? String(line) : line + "\n\\ No newline at end of file\n"
  }
}
