import CPCRE2

/// A regular expression whose work is bounded.
///
/// A pattern is compiled once and may be used from any number of threads.
public struct Pattern: Sendable {
  /// A flavour of regular expressions.
  public enum Syntax: Sendable, Hashable {
    /// RE2's (github.com/google/re2/wiki/Syntax), which `matches()` in expressions uses:
    /// no backreferences, no look-around.
    case re2
    /// ECMA-262's with the `u` flag, which JSON Schema uses.
    case ecmaScript
  }

  /// The pattern as it was written.
  public let source: String
  private let code: CompiledPattern
  private let limits: PatternLimits

  /// Compiles `source`.
  ///
  /// - Throws: an error with the place in the pattern where it cannot be read.
  public init(
    _ source: String, syntax: Syntax = .re2, limits: PatternLimits = .default
  ) throws(PatternError) {
    guard source.utf8.count <= limits.length else {
      throw PatternError(.limit, "the pattern is longer than \(limits.length) bytes")
    }
    self.source = source
    self.limits = limits
    switch syntax {
    case .re2:
      try RE2Syntax.check(source)
      code = try CompiledPattern(source, options: PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C)
    case .ecmaScript:
      let options =
        PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C | PCRE2_ALLOW_EMPTY_CLASS
        | PCRE2_MATCH_UNSET_BACKREF
      code = try CompiledPattern(ECMAScriptSyntax.translated(source), options: options)
    }
  }

  /// Tells whether any part of `text` matches.
  ///
  /// - Throws: an error when the search passes one of the limits.
  public func matches(_ text: String) throws(PatternError) -> Bool {
    var steps = 0
    return try matches(text, countingSteps: &steps)
  }

  /// Tells whether any part of `text` matches, and adds to `steps` what the search may have taken.
  ///
  /// The search is tried with few steps first and started again with more, so that what is added is
  /// at most a few times what it took.
  ///
  /// - Throws: an error when the search passes one of the limits.
  public func matches(
    _ text: String, countingSteps steps: inout Int
  ) throws(PatternError) -> Bool {
    var text = text
    let outcome: Result<Bool, PatternError> = text.withUTF8 { bytes in
      Result { () throws(PatternError) in try matches(bytes, countingSteps: &steps) }
    }
    return try outcome.get()
  }

  /// Tells whether any part of text, which is valid UTF-8, matches, and adds to `steps` what the
  /// search may have taken.
  package func matches(
    _ text: UnsafeBufferPointer<UInt8>, countingSteps steps: inout Int,
    scratch: PatternScratch = PatternScratch()
  ) throws(PatternError) -> Bool {
    var attempt = limits
    attempt.steps = min(Self.firstAttempt, limits.steps)
    while true {
      let outcome = code.search(text, limits: attempt, scratch: scratch)
      steps += Int(attempt.steps)
      if outcome >= 0 { return true }
      if outcome == PCRE2_ERROR_NOMATCH { return false }
      guard outcome == PCRE2_ERROR_MATCHLIMIT, attempt.steps < limits.steps else {
        throw Self.failure(outcome)
      }
      attempt.steps = min(
        attempt.steps.multipliedReportingOverflow(by: 8).partialValue, limits.steps)
    }
  }

  /// The number of steps a search is first tried with.
  private static let firstAttempt: UInt32 = 1000

  private static func failure(_ outcome: Int32) -> PatternError {
    switch outcome {
    case PCRE2_ERROR_MATCHLIMIT:
      PatternError(.limit, "matching the pattern took more steps than allowed")
    case PCRE2_ERROR_DEPTHLIMIT:
      PatternError(.limit, "matching the pattern backtracked deeper than allowed")
    case PCRE2_ERROR_HEAPLIMIT, PCRE2_ERROR_NOMEMORY:
      PatternError(.limit, "matching the pattern took more memory than allowed")
    default:
      PatternError(.limit, "matching the pattern failed: \(CompiledPattern.message(outcome))")
    }
  }
}
