internal import SettledValues
internal import SettledYAML

/// Keywords of the core vocabulary, schemas that apply in place, and annotations.
extension SchemaCompiler {
  static let dialect = "https://json-schema.org/draft/2020-12/schema"

  mutating func readCore(_ number: Int32, _ keywords: SchemaKeywords) {
    for keyword in ["$defs", "definitions"] {
      guard keywords[keyword]?.kind == .map || keyword == "$defs" else { continue }
      for entry in entries(keyword, keywords) ?? [] where isSchema(entry.value, in: keyword) {
        _ = schema(entry.value)
      }
    }
    if let name = text("$anchor", keywords), let node = keywords["$anchor"] {
      if anchors[.string(name)] != nil {
        faults.append(node.fault("another schema has the anchor '\(name)' already"))
      }
      anchors[.string(name)] = keywords.node
    }
    for keyword in ["$dynamicRef", "$recursiveRef"] {
      guard let node = keywords[keyword] else { continue }
      faults.append(node.fault("'\(keyword)' is not supported", hint: "use '$ref'"))
    }
    if let node = keywords["$id"], keywords.node.entry != root.entry {
      faults.append(
        node.fault("'$id' below the root is not supported", hint: "use '$anchor', or '$defs'"))
    }
    if let name = text("$schema", keywords), let node = keywords["$schema"],
      name != Self.dialect, name != Self.dialect + "#"
    {
      var warning = node.fault("the schema is read as \(Self.dialect)")
      warning.severity = .warning
      warnings.append(warning)
    }
  }

  /// What older dialects call `definitions` may hold anything.
  private func isSchema(_ node: YAMLNode, in keyword: String) -> Bool {
    keyword == "$defs" || node.kind == .map
  }

  mutating func readInPlaceRules(_ number: Int32, _ keywords: SchemaKeywords) {
    guard keywords.has("$ref", "allOf", "anyOf", "oneOf", "not", "if", "then", "else") else {
      return
    }
    var rules = InPlaceRules()
    rules.all = schemas("allOf", keywords) ?? TableRange()
    rules.any = schemas("anyOf", keywords) ?? TableRange()
    rules.one = schemas("oneOf", keywords) ?? TableRange()
    rules.not = schema("not", keywords) ?? SchemaNode.none
    rules.condition = schema("if", keywords) ?? SchemaNode.none
    rules.then = schema("then", keywords) ?? SchemaNode.none
    rules.otherwise = schema("else", keywords) ?? SchemaNode.none
    tables.nodes[Int(number)].inPlace = Int32(truncatingIfNeeded: tables.inPlace.count)
    tables.inPlace.append(rules)
    if text("$ref", keywords) != nil, let node = keywords["$ref"] {
      references.append((number, node))
    }
  }

  mutating func readAnnotations(_ number: Int32, _ keywords: SchemaKeywords) {
    let flags: [(String, SchemaNode.Flags)] = [
      ("deprecated", .isDeprecated), ("writeOnly", .isSecret),
    ]
    for (keyword, flag) in flags where self.flag(keyword, keywords) {
      tables.nodes[Int(number)].flags.insert(flag)
    }
    if let node = keywords["default"] { tables.nodes[Int(number)].defaultEntry = node.entry }
  }
}
