extension String {
  /// The text in one line, as people may be shown it whoever wrote it.
  ///
  /// What could steer a terminal, forge a line or show text in another order than it has is told by
  /// its number, as `\u{1B}`: control characters but tab, separators of lines and paragraphs, and
  /// the marks of UAX #9 that reorder what follows (CVE-2021-42574).
  public var printable: String { replacingSteering(keepingLines: false) { "\\u{\($0)}" } }

  /// The text as ``printable``, in as many lines as it has.
  public var printableLines: String { replacingSteering(keepingLines: true) { "\\u{\($0)}" } }

  /// A text of JSON that says the same, and holds nothing that ``printable`` replaces.
  public var printableJSON: String {
    replacingSteering(keepingLines: true) {
      "\\u" + String(repeating: "0", count: max(0, 4 - $0.count)) + $0
    }
  }

  /// The text with each character that steers replaced by what `text` makes of its number, which is
  /// in hexadecimal.
  private func replacingSteering(
    keepingLines: Bool, by text: (_ number: String) -> String
  ) -> String {
    func isReplaced(_ scalar: Unicode.Scalar) -> Bool {
      scalar.isSteering && !(keepingLines && scalar == "\n")
    }
    guard unicodeScalars.contains(where: isReplaced) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      if isReplaced(scalar) {
        result += text(String(scalar.value, radix: 16, uppercase: true))
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// Whether the character does something to what is shown, in place of being shown.
  fileprivate var isSteering: Bool {
    switch value {
    case 0x09: false
    case ..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
