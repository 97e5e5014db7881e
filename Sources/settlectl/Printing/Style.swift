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

  /// Data as it may be shown: on a terminal control characters other than tab and line break, which
  /// could steer it, are escaped.
  func shown(_ data: String) -> String {
    guard isTerminal, data.unicodeScalars.contains(where: Self.isControl) else { return data }
    return data.unicodeScalars.map { scalar in
      Self.isControl(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }.joined()
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
  }
}
