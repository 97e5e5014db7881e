/// How much work a pattern may cause; past any of these it is an error that says so.
public struct PatternLimits: Sendable, Hashable {
  /// The length of a pattern in bytes.
  public var length = 4096
  /// The number of matching steps in one search (`pcre2_set_match_limit`).
  public var steps: UInt32 = 500_000
  /// The depth of backtracking in one search (`pcre2_set_depth_limit`).
  public var depth: UInt32 = 50_000
  /// The memory one search may use, in KiB (`pcre2_set_heap_limit`).
  public var heap: UInt32 = 8192

  /// The limits used where none are given.
  public static let `default` = PatternLimits()

  /// Creates limits with their default values.
  public init() {}
}
