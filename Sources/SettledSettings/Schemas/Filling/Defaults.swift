internal import SettledPatterns
internal import SettledValues
internal import SettledYAML

/// Puts together what the schema says where nothing is set.
struct Defaults {
  let schema: Schema
  private var tables: SchemaTables { schema.tables }
  private var walk: SchemaWalk {
    SchemaWalk(tables: schema.tables, flag: .holdsDefaults, meetsChoices: false)
  }

  init(_ schema: Schema) {
    self.schema = schema
  }

  /// The defaults of all that is not set, as a layer; nil where there are none.
  func layer(below settings: Settings) -> Layer? {
    guard
      let found = arrangement(tables.root, settings.root, isRoot: true, []), case .map = found
    else { return nil }
    return Layer(schema.document.arranged(as: found))
  }

  /// What the schema adds to a node, or says where there is none.
  private func arrangement(
    _ schema: Int32, _ node: SettingsNode?, isRoot: Bool, _ above: [Int32]
  ) -> Arrangement? {
    guard schema >= 0, tables.nodes[Int(schema)].flags.contains(.holdsDefaults) else { return nil }
    let all = walk.together(schema)
    guard let node else {
      // A schema that goes into itself ends where nothing is set.
      return all.contains(where: above.contains)
        ? nil : missing(all, isRoot: isRoot, above + all)
    }
    switch node.kind {
    case .scalar: return nil
    case .list: return list(all, node, above + all)
    case .map:
      let entries =
        members(all, above: above + all) { node.member($0) } + others(all, node, above + all)
      return entries.isEmpty ? nil : .map(entries)
    }
  }

  /// What stands where nothing is set: the default, with the defaults of what is in it.
  private func missing(_ all: [Int32], isRoot: Bool, _ above: [Int32]) -> Arrangement? {
    let entry = all.map { tables.nodes[Int($0)].defaultEntry }.first { $0 != .max }
    guard let entry else {
      guard isRoot || isMap(all) else { return nil }
      let entries = members(all, above: above) { _ in nil }
      let names = Set(entries.map { Value.string($0.key) })
      let isWhole = isRoot || required(all).allSatisfy { names.contains(.string($0)) }
      return entries.isEmpty || !isWhole ? nil : .map(entries)
    }
    let node = schema.document.node(entry)
    if node.isNull { return nil }
    guard node.kind == .map else { return .node(entry) }
    let own = node.entries.map { (key: $0.key, value: Arrangement.node($0.value.entry)) }
    let names = Set(own.map { Value.string($0.key) })
    let others = members(all, above: above) { _ in nil }
    return .map(own + others.filter { !names.contains(.string($0.key)) })
  }

  private func members(
    _ all: [Int32], above: [Int32], _ member: (String) -> SettingsNode?
  ) -> [(key: String, value: Arrangement)] {
    var found: [(key: String, value: Arrangement)] = []
    for number in all {
      let rules = tables.nodes[Int(number)].map
      guard rules >= 0 else { continue }
      for property in tables.properties[tables.maps[Int(rules)].properties.indices] {
        let key = tables.key(property)
        guard !found.contains(where: { $0.key.hasSameBytes(as: key) }) else { continue }
        if let value = arrangement(property.schema, member(key), isRoot: false, above) {
          found.append((key, value))
        }
      }
    }
    return found
  }

  /// What is added to entries that `patternProperties` and `additionalProperties` apply to.
  private func others(
    _ all: [Int32], _ node: SettingsNode, _ above: [Int32]
  ) -> [(key: String, value: Arrangement)] {
    var found: [(key: String, value: Arrangement)] = []
    for number in all where tables.nodes[Int(number)].map >= 0 {
      let rules = tables.maps[Int(tables.nodes[Int(number)].map)]
      let patterns = tables.patternRules[rules.patterns.indices]
      guard ([rules.additional] + patterns.map(\.schema)).contains(where: hasDefaults) else {
        continue
      }
      let named = tables.properties[rules.properties.indices].filter { $0.schema >= 0 }
      let names = Set(named.map { Value.string(tables.key($0)) })
      for entry in node.entries where !names.contains(.string(entry.key)) {
        let key = entry.key
        let matching = patterns.filter {
          (try? tables.patterns[Int($0.pattern)].matches(key)) == true
        }.map(\.schema)
        for schema in matching.isEmpty ? [rules.additional] : matching {
          if let value = arrangement(schema, entry.node, isRoot: false, above) {
            found.append((key, value))
            break
          }
        }
      }
    }
    return found
  }

  private func list(_ all: [Int32], _ node: SettingsNode, _ above: [Int32]) -> Arrangement? {
    for number in all where tables.nodes[Int(number)].list >= 0 {
      let rules = tables.lists[Int(tables.nodes[Int(number)].list)]
      let prefix = tables.references[rules.prefix.indices]
      var isFound = false
      let elements = node.elements.enumerated().map { position, element -> Arrangement in
        let schema = position < prefix.count ? prefix[prefix.startIndex + position] : rules.items
        guard let value = arrangement(schema, element, isRoot: false, above) else {
          return .nothing
        }
        isFound = true
        return value
      }
      if isFound { return .list(elements) }
    }
    return nil
  }

  private func hasDefaults(_ schema: Int32) -> Bool {
    schema >= 0 && tables.nodes[Int(schema)].flags.contains(.holdsDefaults)
  }

  /// Whether schemas together take nothing but a map.
  private func isMap(_ all: [Int32]) -> Bool {
    all.reduce(JSONTypes.any) { $0.intersection(tables.nodes[Int($1)].types) } == .map
  }

  private func required(_ all: [Int32]) -> [String] {
    all.flatMap { number -> [String] in
      let rules = tables.nodes[Int(number)].map
      guard rules >= 0 else { return [] }
      return tables.properties[tables.maps[Int(rules)].properties.indices].filter(\.isRequired)
        .map(tables.key)
    }
  }
}
