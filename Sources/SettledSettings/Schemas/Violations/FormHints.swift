internal import SettledValues
internal import SettledYAML

/// Hints of how to write what a schema asks for.
extension ViolationText {
  /// The examples that a schema gives, or the keys of the map that it asks for.
  func hintOfForm(_ schema: Int32) -> String? {
    let examples = examples(schema)
    if let last = examples.last {
      let others = examples.dropLast().joined(separator: ", ")
      return "write one such as " + (others.isEmpty ? last : "\(others) or \(last)")
    }
    let types = self.schema.tables.nodes[Int(schema)].types
    return types != .any && types.contains(.map) ? "".hint(among: names(schema)) : nil
  }

  /// The examples that a schema gives.
  func examples(_ schema: Int32) -> [String] {
    guard schema >= 0 else { return [] }
    let node = self.schema.document.node(self.schema.tables.nodes[Int(schema)].entry)
    return node["examples"]?.elements.map { $0.kind == .scalar ? $0.text : $0.flow } ?? []
  }
}

extension String {
  /// What to write instead of this key of a map; nil where the map has no keys, or very many.
  func hint(among known: [String]) -> String? {
    if let meant = closest(among: known) { return "did you mean '\(meant)'?" }
    return known.isEmpty || known.count > 24 ? nil : "it may have: " + known.joined(separator: ", ")
  }
}

extension YAMLNode {
  /// The node in flow style.
  fileprivate var flow: String {
    switch kind {
    case .map:
      "{" + entries.map { "\($0.key): \($0.value.flow)" }.joined(separator: ", ") + "}"
    case .list: "[" + elements.map(\.flow).joined(separator: ", ") + "]"
    case .scalar: text
    }
  }
}
