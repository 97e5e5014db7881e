public import SettledValues

extension YAMLNode {
  /// An error at this node, with its line.
  public func fault(
    _ message: String, hint: String? = nil, notes: [Diagnostic.Note] = []
  ) -> Diagnostic {
    Diagnostic(
      .error, message, at: place, excerpt: excerpt(at: place, length: writtenLength), hint: hint,
      notes: notes)
  }

  /// The line of a place in the node's file with `length` code points underlined; nil for a secret.
  public func excerpt(at place: Place, length: Int = 1) -> Diagnostic.Excerpt? {
    document.source.excerpt(at: place, length: length)
  }

  /// The code points from the node's mark to its end, where that is on the same line; else 1.
  var writtenLength: Int {
    guard kind == .scalar, !record.flags.contains(.isTagged) else { return 1 }
    let length = document.withText(of: record) { text in
      text.contains(UInt8(ascii: "\n")) ? 1 : text.reduce(0) { $0 + (Source.continues($1) ? 0 : 1) }
    }
    switch style {
    case .plain: return max(1, length)
    case .singleQuoted, .doubleQuoted: return length + 2
    default: return 1
    }
  }

  /// What the node is, for a message; nothing of a secret's text.
  package var shown: String {
    switch kind {
    case .map: return "a map"
    case .list: return "a list"
    case .scalar: break
    }
    if isEmpty { return "no value" }
    if document.isSecret { return "other text" }
    if isNull { return "null" }
    let text = self.text
    let start = String(text.unicodeScalars.prefix(40))
    return "'\(start)\(start.utf8.count < text.utf8.count ? "…" : "")'"
  }

  /// Why a scalar is not of the type it looks like, and what to write.
  package var reason: String? {
    guard kind == .scalar else { return nil }
    return document.withText(of: record) { text in
      let plain = ScalarClass(plain: text)
      if style != .plain, plain != .string { return "quoted, so a string; remove the quotes" }
      if text.last == UInt8(ascii: ","), text.count > 1 { return "delete the comma behind it" }
      return plain == .leadingZero ? Self.leadingZero(text) : plain.reason
    }
  }

  private static func leadingZero(_ text: UnsafeBufferPointer<UInt8>) -> String {
    let digits = text.drop { !Decimal64.isDigit($0) || $0 == UInt8(ascii: "0") }
    let decimal = digits.isEmpty ? "0" : String(decoding: digits, as: UTF8.self)
    guard let octal = Decimal64.read(decimal.utf8, radix: 8) else {
      return "leading zero: not octal, and other readers differ; write \(decimal)"
    }
    return "leading zero: \(octal) in YAML 1.1, \(decimal) in 1.2; write 0o\(decimal) or \(decimal)"
  }

  /// The refusal of a node that is not what is expected.
  func mismatch(_ expected: String, hint: String? = nil) -> Refusal {
    Refusal([fault("expected \(expected), found \(shown)", hint: hint ?? reason)])
  }
}
