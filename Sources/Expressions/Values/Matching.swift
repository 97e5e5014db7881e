import SettledPatterns
import SettledValues

/// A regular expression as `matches` uses it.
struct CompiledMatch: Sendable {
  private let pattern: Pattern

  init(_ pattern: Pattern) {
    self.pattern = pattern
  }

  init(_ source: String) throws(PatternError) {
    pattern = try Pattern(source)
  }

  /// Tells whether a part of `text` matches.
  func matches(_ text: String, _ frame: inout Frame) throws(Failure) -> Bool {
    var steps = 0
    let isMatch: Bool
    do {
      isMatch = try pattern.matches(text, countingSteps: &steps)
    } catch {
      throw Failure(limit: error.message)
    }
    try frame.charge(steps: steps >> 6)
    return isMatch
  }
}
