internal import SettledPatterns
internal import SettledValues
internal import SettledYAML

/// Goes through the settings and the schemas that apply to them, where these have something.
struct SchemaWalk {
  let tables: SchemaTables
  /// What a schema must have in or below it to be gone into.
  let flag: SchemaNode.Flags
  /// Whether schemas that may apply are met too.
  let meetsChoices: Bool

  /// A schema at a path; the node is nil where nothing is set.
  typealias Meeting = (_ schema: Int32, _ node: SettingsNode?, _ path: Path) -> Void

  /// Calls `meet` for each schema and what it applies to.
  func walk(_ settings: Settings, _ meet: Meeting) {
    walk(tables.root, settings.root, Path(), [], meet)
  }

  /// The schemas that apply to the same value as one, itself first.
  func together(_ schema: Int32) -> [Int32] {
    var found: [Int32] = []
    var pending = [schema]
    while let number = pending.popLast() {
      guard number >= 0, !found.contains(number) else { continue }
      found.append(number)
      let node = tables.nodes[Int(number)]
      guard node.inPlace >= 0 else { continue }
      let rules = tables.inPlace[Int(node.inPlace)]
      pending += tables.references[rules.all.indices].reversed() + [rules.reference]
      guard meetsChoices else { continue }
      pending += [rules.condition, rules.then, rules.otherwise]
      pending += tables.references[rules.any.indices] + tables.references[rules.one.indices]
    }
    return found
  }

  private func walk(
    _ schema: Int32, _ node: SettingsNode?, _ path: Path, _ absent: [Int32], _ meet: Meeting
  ) {
    guard schema >= 0, tables.nodes[Int(schema)].flags.contains(flag) else { return }
    let all = together(schema)
    for number in all { meet(number, node, path) }
    // A schema that goes into itself ends where nothing is set.
    guard node != nil || !absent.contains(schema) else { return }
    let absent = node == nil ? absent + [schema] : []
    for number in all { walkBelow(number, node, path, absent, meet) }
  }

  private func walkBelow(
    _ number: Int32, _ node: SettingsNode?, _ path: Path, _ absent: [Int32], _ meet: Meeting
  ) {
    let rules = tables.nodes[Int(number)]
    if rules.map >= 0, node == nil || node?.kind == .map {
      let map = tables.maps[Int(rules.map)]
      for property in tables.properties[map.properties.indices] {
        let key = tables.key(property)
        walk(property.schema, node?.member(key), path.appending(key), absent, meet)
      }
      walkOthers(map, node, path, meet)
    }
    guard rules.list >= 0, let node, node.kind == .list else { return }
    let list = tables.lists[Int(rules.list)]
    let prefix = tables.references[list.prefix.indices]
    for (position, element) in node.elements.enumerated() {
      let schema = position < prefix.count ? prefix[prefix.startIndex + position] : list.items
      walk(schema, element, path.appending(position), [], meet)
    }
  }

  /// Goes into what `patternProperties` and `additionalProperties` apply to.
  private func walkOthers(
    _ map: MapRules, _ node: SettingsNode?, _ path: Path, _ meet: Meeting
  ) {
    let patterns = tables.patternRules[map.patterns.indices].filter { has($0.schema) }
    guard let node, has(map.additional) || !patterns.isEmpty else { return }
    let named = Set(
      tables.properties[map.properties.indices].filter { $0.schema >= 0 }
        .map { Value.string(tables.key($0)) })
    for entry in node.entries {
      let key = entry.key
      var isMatched = named.contains(.string(key))
      for rule in tables.patternRules[map.patterns.indices]
      where (try? tables.patterns[Int(rule.pattern)].matches(key)) == true {
        isMatched = true
        walk(rule.schema, entry.node, path.appending(key), [], meet)
      }
      if !isMatched { walk(map.additional, entry.node, path.appending(key), [], meet) }
    }
  }

  private func has(_ schema: Int32) -> Bool {
    schema >= 0 && tables.nodes[Int(schema)].flags.contains(flag)
  }
}
