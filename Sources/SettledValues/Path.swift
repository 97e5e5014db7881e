/// The address of a setting, spelled as in an expression: `http.port`, `settings["my-app"].port`.
public struct Path: Sendable, Hashable, CustomStringConvertible {
  /// One step from a map or list to what it holds.
  public enum Component: Sendable, Hashable {
    /// The entry of a map with this key.
    case key(String)
    /// The element of a list at this position, counted from 0.
    case index(Int)
  }

  /// The steps from the root.
  public var components: [Component]

  /// Creates a path from its steps; none is the root.
  public init(_ components: [Component] = []) {
    self.components = components
  }

  /// The path of the entry `key` below this one.
  public func appending(_ key: String) -> Path {
    Path(components + [.key(key)])
  }

  /// The path of the element `index` below this one.
  public func appending(_ index: Int) -> Path {
    Path(components + [.index(index)])
  }

  /// The path as an expression spells it; the root is `settings`.
  public var description: String {
    guard let first = components.first else { return "settings" }
    var text: String
    if case .key(let key) = first, Self.isIdentifier(key) {
      text = key
    } else {
      text = "settings" + Self.bracketed(first)
    }
    for component in components.dropFirst() {
      if case .key(let key) = component, Self.isIdentifier(key) {
        text += "." + key
      } else {
        text += Self.bracketed(component)
      }
    }
    return text
  }

  /// Tells whether an expression can name `text` without quotes: `[_a-zA-Z][_a-zA-Z0-9]*`.
  public static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.utf8.first, !isDigit(first) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || isDigit($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func bracketed(_ component: Component) -> String {
    switch component {
    case .key(let key): "[" + quoted(key) + "]"
    case .index(let index): "[\(index)]"
    }
  }

  private static func quoted(_ key: String) -> String {
    var text = "\""
    for scalar in key.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
