import SettledValues
import SettledYAML
import Templates

/// The entries of one map in the manifest; what it must be is told by ``ManifestSchema``.
struct Fields {
  private let node: YAMLNode

  /// Takes a map; nil where there is none.
  init?(_ node: YAMLNode) {
    guard node.kind == .map else { return nil }
    self.node = node
  }

  /// The value of `key`, or nil where it is not set.
  subscript(key: String) -> YAMLNode? { node[key].flatMap { $0.isNull ? nil : $0 } }

  /// The text of `key`; nil where it is not set, is no scalar, or is empty.
  func text(_ key: String) -> String? {
    guard let value = self[key], value.kind == .scalar, !value.text.isEmpty else { return nil }
    return value.text
  }

  /// The truth value of `key`; nil where it is not set, or is none.
  func flag(_ key: String) -> Bool? { self[key].flatMap { try? $0.bool() } }

  /// The integer of `key`; nil where it is not set, or is none.
  func integer(_ key: String) -> Int? { self[key].flatMap { try? Int(exactly: $0.int()) } }

  /// The word of `key`; nil where it is not set, or is none of those there are.
  func word<Word: RawRepresentable<String>>(_ key: String) -> Word? {
    text(key).flatMap { Word(rawValue: $0) }
  }

  /// The keys of `names` that are set.
  func present(_ names: [String]) -> [String] {
    names.filter { self[$0] != nil }
  }
}

extension YAMLNode {
  /// A finding about a part of this scalar's text, given in UTF-8 bytes.
  func fault(
    _ message: String, in range: Range<Int>, hint: String? = nil, notes: [Diagnostic.Note] = []
  ) -> Diagnostic {
    let place = place(ofContentOffset: range.lowerBound)
    return Diagnostic(
      .error, message, at: place, excerpt: excerpt(at: place, length: range.count), hint: hint,
      notes: notes)
  }

  /// A finding about the template that this scalar's text is.
  func fault(of error: TemplateError, _ message: String? = nil) -> Diagnostic {
    let offset = Self.offset(of: error.place, in: text)
    let length = error.excerpt?.length ?? 1
    return fault(message ?? error.message, in: offset..<offset + length, hint: error.hint)
  }

  /// The UTF-8 offset of a place in a text of several lines.
  static func offset(of place: Place, in text: String) -> Int {
    var (line, column) = (1, 1)
    for index in text.unicodeScalars.indices {
      if line == place.line, column == max(place.column, 1) {
        return text.utf8.distance(from: text.startIndex, to: index)
      }
      if text.unicodeScalars[index] == "\n" { (line, column) = (line + 1, 1) } else { column += 1 }
    }
    return text.utf8.count
  }
}
