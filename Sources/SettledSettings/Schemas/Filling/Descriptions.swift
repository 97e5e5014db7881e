internal import SettledPatterns
public import SettledValues
internal import SettledYAML

extension Schema {
  /// What the schema says of the values at a path: the `description` of the first schema there that
  /// has one, or else its `title`.
  public func description(of path: Path) -> String? {
    var there = [tables.root]
    let walk = SchemaWalk(tables: tables, flag: [], meetsChoices: true)
    for component in path.components {
      there = there.flatMap(walk.together).flatMap { walk.schemas(below: $0, at: component) }
    }
    let keywords = there.flatMap(walk.together).filter { $0 >= 0 }.map {
      document.node(tables.nodes[Int($0)].entry)
    }
    return keywords.lazy.compactMap { $0["description"]?.text }.first
      ?? keywords.lazy.compactMap { $0["title"]?.text }.first
  }
}

extension SchemaWalk {
  /// The schemas that apply to a member or element of what a schema applies to.
  fileprivate func schemas(below number: Int32, at component: Path.Component) -> [Int32] {
    guard number >= 0 else { return [] }
    let rules = tables.nodes[Int(number)]
    switch component {
    case .key(let key) where rules.map >= 0:
      return schemas(of: key, in: tables.maps[Int(rules.map)])
    case .index(let position) where rules.list >= 0:
      let list = tables.lists[Int(rules.list)]
      let prefix = tables.references[list.prefix.indices]
      return [
        position < prefix.count ? prefix[prefix.startIndex + position] : list.items
      ].filter { $0 >= 0 }
    default: return []
    }
  }

  private func schemas(of key: String, in map: MapRules) -> [Int32] {
    var found = tables.properties[map.properties.indices].filter {
      $0.schema >= 0 && tables.key($0).hasSameBytes(as: key)
    }.map(\.schema)
    found += tables.patternRules[map.patterns.indices].filter {
      (try? tables.patterns[Int($0.pattern)].matches(key)) == true
    }.map(\.schema)
    if found.isEmpty, map.additional >= 0 { found = [map.additional] }
    return found
  }
}
