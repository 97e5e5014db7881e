/// How names and calls are read.
public struct ExpressionDialect: Sendable, Hashable {
  /// Whether a name of several parts, `a.b`, may be one name of the lookup; the longest wins
  /// (`langdef.md`, "Name Resolution").
  public var resolvesQualifiedNames = false
  /// The namespace in which names are looked up first, as `a.b`.
  public var container = ""
  /// Whether a call of a function that does not exist, or with the wrong number of arguments, is
  /// refused when the expression is read; else its evaluation fails.
  public var refusesUnknownCalls = true

  /// The dialect of settings: names are single, unknown calls are refused.
  public static let settings = ExpressionDialect()

  /// Creates the dialect of settings, to be changed.
  public init() {}
}
