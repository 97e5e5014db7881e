/// How much an expression may cost; past any of these it is an error that says so.
public struct ExpressionLimits: Sendable, Hashable {
  /// The length of the source in bytes.
  public var source = 65_536
  /// The depth to which parentheses, calls, lists and unary operators may be nested.
  public var depth = 128
  /// The depth to which the lists and maps it builds may be nested.
  public var valueDepth = 256
  /// The work of one evaluation: calls, turns of a macro, and the elements and blocks of 64 bytes
  /// that functions go through.
  public var steps = 1_000_000
  /// The size of all that one evaluation builds, in bytes; an element of a list counts 32.
  public var size = 16 * 1024 * 1024

  /// The limits used where none are given.
  public static let `default` = ExpressionLimits()

  /// Creates limits with their default values.
  public init() {}
}
