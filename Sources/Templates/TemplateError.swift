public import Expressions
public import SettledValues

/// Why a template was not read, or could not be rendered.
public struct TemplateError: Error, Sendable {
  /// The kinds of faults, as those of expressions.
  public var kind: ExpressionError.Kind
  /// The sentence that says it: lower case, names in single quotes, no full stop.
  public var message: String
  /// The template's file, line and column.
  public var place: Place
  /// The line of the template, with the length of what is meant.
  public var excerpt: Diagnostic.Excerpt?
  /// What to do.
  public var hint: String?
  /// The setting whose value caused it, where that is known.
  public var path: Path?
  /// The error that a lookup or loader threw, where it was one.
  public var cause: (any Error)?

  /// The error as a finding.
  public var diagnostic: Diagnostic {
    Diagnostic(.error, message, at: place, excerpt: excerpt, hint: hint)
  }
}

extension TemplateError: CustomStringConvertible {
  /// The finding, over one or more lines.
  public var description: String { diagnostic.description }
}
