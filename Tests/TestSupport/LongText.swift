/// A text of any length as a test's argument; what the test prints shows its start only.
public struct LongText: Sendable, Hashable, CustomStringConvertible {
  /// The text.
  public let text: String

  /// Creates an argument.
  public init(_ text: String) {
    self.text = text
  }

  /// The start of the text, and its length.
  public var description: String {
    let start = text.prefix(40).split(separator: "\n").joined(separator: " ")
    return "\(start)… (\(text.utf8.count) bytes)"
  }
}
