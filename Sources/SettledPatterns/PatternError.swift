/// A pattern that cannot be read, or whose matching took more work than its limits allow.
public struct PatternError: Error, Sendable, Hashable {
  /// What went wrong.
  public enum Kind: Sendable, Hashable {
    /// The pattern is not one of its syntax.
    case syntax
    /// Matching or compiling passed a limit.
    case limit
  }

  /// What went wrong.
  public var kind: Kind
  /// The sentence that says it; never the text that was searched.
  public var message: String
  /// Where in the pattern it is, in UTF-8 bytes from its start; nil where matching failed.
  public var offset: Int?

  /// Creates an error.
  public init(_ kind: Kind = .syntax, _ message: String, at offset: Int? = nil) {
    self.kind = kind
    self.message = message
    self.offset = offset
  }
}
