package import SettledValues

/// Why a part of an expression has no value.
///
/// `&&`, `||` and the macros over them may pass over a failure; nothing passes over a limit.
package struct Failure: Error, Sendable {
  /// What is thrown is one word; failures are common where they are absorbed.
  private final class Contents: Sendable {
    let error: ExpressionError
    let hasPlace: Bool
    /// The key that a map does not have, and where to find the keys it has.
    let missing: (name: String, source: (any KeySource)?)?

    init(
      _ error: ExpressionError, hasPlace: Bool,
      missing: (name: String, source: (any KeySource)?)? = nil
    ) {
      self.error = error
      self.hasPlace = hasPlace
      self.missing = missing
    }
  }

  private let contents: Contents

  /// Creates a failure whose place is that of the call or operator it happens in.
  package init(_ message: String, hint: String? = nil, path: Path? = nil) {
    contents = Contents(
      ExpressionError(.evaluation, message, at: 0..<0, hint: hint, path: path), hasPlace: false)
  }

  /// Creates a failure at a place.
  package init(_ message: String, at range: SourceRange, hint: String? = nil, path: Path? = nil) {
    contents = Contents(
      ExpressionError(.evaluation, message, at: range.offsets, hint: hint, path: path),
      hasPlace: true)
  }

  /// Creates the failure that a map has no key `name`.
  package init(_ message: String, missing name: String, at range: SourceRange) {
    contents = Contents(
      ExpressionError(.evaluation, message, at: range.offsets), hasPlace: true,
      missing: (name, nil))
  }

  /// Creates the failure that a limit was passed.
  package init(limit message: String) {
    contents = Contents(ExpressionError(.limit, message, at: 0..<0), hasPlace: false)
  }

  /// Wraps an error that a lookup or container threw.
  package init(reading error: any Error) {
    if let failure = error as? Failure {
      self = failure
      return
    }
    let inner = error as? ExpressionError
    var outer = ExpressionError(
      inner?.kind ?? .evaluation, inner?.message ?? "\(error)", at: 0..<0, hint: inner?.hint,
      path: inner?.path, cause: error)
    outer.isQuoting = inner?.isQuoting ?? true
    outer.isHintQuoting = inner?.isHintQuoting ?? true
    contents = Contents(outer, hasPlace: false)
  }

  private init(_ contents: Contents) {
    self.contents = contents
  }

  /// Whether it has a place already.
  var hasPlace: Bool { contents.hasPlace }

  /// Whether it says that a limit was passed.
  package var isLimit: Bool { contents.error.kind == .limit }

  /// The same failure, whose sentence quotes a value or a part of one.
  package var quoting: Failure {
    var error = contents.error
    error.isQuoting = true
    return Failure(Contents(error, hasPlace: contents.hasPlace, missing: contents.missing))
  }

  /// The same failure at `range`, unless it has a place already.
  package func placed(at range: SourceRange) -> Failure {
    guard !contents.hasPlace else { return self }
    var error = contents.error
    error.range = range.offsets
    return Failure(Contents(error, hasPlace: true))
  }

  /// The same failure with more to its sentence, unless it has a place already.
  func adding(_ detail: String, path: Path?, at range: SourceRange) -> Failure {
    guard !contents.hasPlace else { return self }
    var error = contents.error
    error.message += ": \(detail)"
    error.path = path
    error.range = range.offsets
    return Failure(Contents(error, hasPlace: true))
  }

  /// The same failure, of a key that is missing among those `source` finds.
  func missing(among source: any KeySource) -> Failure {
    guard let missing = contents.missing, missing.source == nil else { return self }
    return Failure(
      Contents(contents.error, hasPlace: contents.hasPlace, missing: (missing.name, source)))
  }

  /// The failure as callers of the library see it, with the key that was likely meant.
  package func error(_ frame: inout Frame) -> ExpressionError {
    var error = contents.error
    if let missing = contents.missing, let source = missing.source,
      let likely = missing.name.closest(among: source.keys(&frame))
    {
      error.hint = "did you mean '\(likely)'?"
      error.isHintQuoting = true
    }
    return error
  }
}

/// Something that can tell the keys of the map in which a key was not found.
///
/// Keys are read only for a failure that is reported: reading them is a dependency.
protocol KeySource: Sendable {
  /// The string keys of the map.
  func keys(_ frame: inout Frame) -> [String]
}
