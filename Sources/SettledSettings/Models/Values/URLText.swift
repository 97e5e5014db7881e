public import SettledValues

/// The text of a URL: a URI with its scheme (RFC 3986, appendix A).
///
/// What it names is not looked at, and no parts are taken out; for that, give ``text`` to the URL type
/// of your choice.
public struct URLText: Sendable, Hashable, CustomStringConvertible {
  /// The URL as written.
  public let text: String

  /// Takes text for a URL; nil where it is none.
  public init?(_ text: String) {
    var text = text
    guard text.withUTF8({ TextFormat.uri.takes($0) }) else { return nil }
    self.text = text
  }

  /// The part before the colon, in lower case.
  public var scheme: String { text.prefix { $0 != ":" }.lowercased() }

  /// The URL as written.
  public var description: String { text }
}

extension URLText: SettingValue {
  /// Reads a URL.
  public static func read(_ node: SettingNode) throws(Refusal) -> URLText {
    guard let url = URLText(try node.string()) else {
      throw node.mismatch("a URL with its scheme", hint: "write one such as https://example.org/a")
    }
    return url
  }

  /// The schema of a URL.
  public static var schema: ValueMap { ["type": "string", "format": "uri"] }

  /// The URL as text.
  public var written: Value { .string(text) }
}
