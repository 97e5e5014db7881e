/// How white space around tags is treated, with the names and meanings of Jinja2.
public struct TemplateOptions: Sendable, Hashable {
  /// Whether the first line break after a block or comment is dropped.
  public var trimBlocks = false
  /// Whether blanks before a block or comment are dropped where the line starts with them.
  public var lstripBlocks = false
  /// Whether a line break at the end of the template stays.
  public var keepTrailingNewline = false

  /// Creates the options of Jinja2's defaults.
  public init() {}
}

/// How much a template may cost; past any of these it is an error that says so.
public struct TemplateLimits: Sendable, Hashable {
  /// The length of a template with all that it includes, in bytes.
  public var source = 4 * 1024 * 1024
  /// The number of files it includes, each counted every time.
  public var includes = 1000
  /// The depth of includes, and of blocks in each other.
  public var depth = 64
  /// The length of the output in bytes.
  public var output = 32 * 1024 * 1024
  /// The work of rendering: turns of loops, and all that ``Expressions/ExpressionLimits`` counts.
  public var steps = 2_000_000
  /// The size of all values that are built while rendering, in bytes.
  public var size = 32 * 1024 * 1024

  /// The limits used where none are given.
  public static let `default` = TemplateLimits()

  /// Creates limits with their default values.
  public init() {}
}
