import SettledPatterns
package import SettledValues

/// The state of one evaluation.
package struct Frame {
  /// What free names stand for.
  package let lookup: any Lookup
  /// The values of local names, nil where one was not set.
  package var slots: [Operand?]
  private let limits: ExpressionLimits
  private var steps = 0
  private var size = 0
  private var pattern: CachedPattern?

  /// Creates the state for an evaluation with `slotCount` local names.
  package init(_ lookup: any Lookup, slotCount: Int, limits: ExpressionLimits) {
    self.lookup = lookup
    self.limits = limits
    slots = slotCount == 0 ? [] : Array(repeating: nil, count: slotCount)
  }

  /// Counts work.
  @inline(__always)
  package mutating func charge(steps count: Int) throws(Failure) {
    steps &+= count
    guard steps <= limits.steps else { throw stepsFailure() }
  }

  /// Counts the work of going through `count` bytes.
  @inline(__always)
  package mutating func charge(bytes count: Int) throws(Failure) {
    try charge(steps: count >> 6)
  }

  /// Counts bytes that a value being built takes.
  @inline(__always)
  package mutating func charge(size count: Int) throws(Failure) {
    size &+= count
    guard size <= limits.size else { throw sizeFailure() }
  }

  /// Counts elements of a list being built.
  @inline(__always)
  package mutating func charge(elements count: Int) throws(Failure) {
    try charge(size: count &* 32)
  }

  /// Starts the counts anew, for the next evaluation in the same state.
  package mutating func resetCounts() {
    steps = 0
    size = 0
  }

  /// Refuses a value that is too large to be gone through.
  ///
  /// One that holds the same list over and over may be, though it takes little memory. Where nothing
  /// was built, it is as the lookup gave it.
  package func checkSize(of value: Value) throws(Failure) {
    guard size > 0 else { return }
    var left = limits.size
    guard value.fits(in: &left) else { throw sizeFailure() }
  }

  @inline(never)
  private func stepsFailure() -> Failure {
    Failure(limit: "the evaluation takes more than \(limits.steps) steps")
  }

  @inline(never)
  private func sizeFailure() -> Failure {
    Failure(limit: "the evaluation builds more than \(limits.size) bytes of values")
  }

  /// The compiled form of `source`; the last one asked for is kept.
  mutating func compiledPattern(_ source: String) throws(Failure) -> Pattern {
    if let pattern = pattern?.pattern, pattern.source.hasSameBytes(as: source) { return pattern }
    try charge(steps: 16 + source.utf8.count)
    do {
      let compiled = try Pattern(source)
      pattern = CachedPattern(compiled)
      return compiled
    } catch {
      throw Failure("'matches' has a bad pattern: \(error.message)").quoting
    }
  }
}

/// The pattern that was compiled last.
private final class CachedPattern: Sendable {
  let pattern: Pattern

  init(_ pattern: Pattern) {
    self.pattern = pattern
  }
}
