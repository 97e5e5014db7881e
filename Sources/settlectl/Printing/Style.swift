import SettledValues

/// How text is shown on a stream.
struct Style {
  /// A colour, which is never the only sign.
  enum Color: String {
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  /// No colours, and data as it is.
  static let plain = Style(isColored: false, isTerminal: false)

  let isColored: Bool
  let isTerminal: Bool

  func colored(_ text: String, _ color: Color) -> String {
    isColored ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Data of many lines as it may be shown: on a terminal what could steer it is told by its number.
  func shown(_ data: String) -> String { isTerminal ? data.printableLines : data }

  /// JSON as it may be shown.
  func shownJSON(_ text: String) -> String { isTerminal ? text.printableJSON : text }
}
