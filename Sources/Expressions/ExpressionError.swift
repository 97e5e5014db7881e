public import SettledValues

/// Why an expression was not read, or has no value.
public struct ExpressionError: Error, Sendable {
  /// The kinds of faults.
  public enum Kind: Sendable, Hashable {
    /// The text is not an expression.
    case syntax
    /// It calls a function that does not exist, or with the wrong number of arguments.
    case function
    /// Its evaluation failed.
    case evaluation
    /// It passed one of ``ExpressionLimits``.
    case limit
  }

  /// What kind of fault it is.
  public var kind: Kind
  /// The sentence that says it: lower case, names in single quotes, no full stop.
  public var message: String
  /// Where in the source it is, in UTF-8 bytes.
  public var range: Range<Int>
  /// What to do.
  public var hint: String?
  /// The setting whose value caused it, where that is known.
  public var path: Path?
  /// The error a lookup threw, where it was one.
  public var cause: (any Error)?
  /// Whether the sentence quotes a value, or a part of one.
  package var isQuoting = false
  /// Whether the hint quotes a key.
  package var isHintQuoting = false

  /// Creates an error.
  public init(
    _ kind: Kind, _ message: String, at range: Range<Int>, hint: String? = nil,
    path: Path? = nil, cause: (any Error)? = nil
  ) {
    self.kind = kind
    self.message = message
    self.range = range
    self.hint = hint
    self.path = path
    self.cause = cause
  }
}

extension ExpressionError {
  /// The same error without what it quotes of values: for an evaluation that read a secret.
  public var withoutValues: ExpressionError {
    var error = self
    if isQuoting { error.message = "the evaluation fails on a secret, which is not shown" }
    if isQuoting || isHintQuoting { error.hint = nil }
    return error
  }
}

extension ExpressionError: CustomStringConvertible {
  /// The sentence, with its hint.
  public var description: String {
    hint.map { "\(message); \($0)" } ?? message
  }
}
