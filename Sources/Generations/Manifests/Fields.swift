import SettledValues
import SettledYAML
import Templates

/// The entries of one map in the manifest, of which only known keys are taken.
struct Fields {
  private let node: YAMLNode
  /// What the map is, for messages: `target 'site'`.
  private let thing: String

  /// Checks that `node` is a map with no other keys than `known`.
  init?(_ node: YAMLNode, of thing: String, known: [String], findings: inout [Diagnostic]) {
    self.node = node
    self.thing = thing
    guard node.kind == .map else {
      findings.append(
        node.fault("\(thing) must be a map", hint: "it may have: " + known.joined(separator: ", ")))
      return nil
    }
    for entry in node.entries where !known.contains(entry.key) {
      let hint = entry.key.closest(among: known).map { "did you mean '\($0)'?" }
      findings.append(
        Diagnostic(
          .error, "\(thing) has no key '\(entry.key)'", at: entry.keyPlace,
          excerpt: node.excerpt(at: entry.keyPlace, length: entry.key.unicodeScalars.count),
          hint: hint ?? "it may have: " + known.joined(separator: ", ")))
    }
  }

  /// The value of `key`, or nil where it is not there.
  subscript(key: String) -> YAMLNode? { node[key] }

  /// The text of `key`; a finding where it is there and is no scalar, or empty.
  func text(_ key: String, findings: inout [Diagnostic]) -> String? {
    guard let value = node[key] else { return nil }
    guard value.kind == .scalar, !value.isNull, !value.text.isEmpty else {
      findings.append(value.fault("'\(key)' of \(thing) must be text"))
      return nil
    }
    return value.text
  }

  /// The keys of `names` that are there.
  func present(_ names: [String]) -> [String] {
    names.filter { node[$0] != nil }
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
