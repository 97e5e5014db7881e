public import SettledPatterns

/// How a schema is read, and how much work it may cause; past a limit it is an error that names it.
public struct SchemaLimits: Sendable, Hashable {
  /// The schemas that may be applied while one value is validated (`schema.steps`).
  public var steps = 20_000_000
  /// How deep schemas may be applied inside of each other (`schema.depth`).
  public var depth = 512
  /// The violations that are reported (`violations`).
  public var violations = 100
  /// What each `pattern` may ask of its matcher.
  public var patterns = PatternLimits.default
  /// Whether `format` is asserted; else it only documents.
  public var assertsFormats = true

  /// The limits used where none are given.
  public static let `default` = SchemaLimits()

  /// Creates limits with their default values.
  public init() {}
}
