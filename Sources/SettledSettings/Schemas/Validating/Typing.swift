internal import SettledPatterns

/// Finds out how plain scalars are read, before schemas are tried that depend on it.
extension Validator {
  /// Reads what a schema surely applies to as it asks.
  ///
  /// Nothing is to be done where no other schema meets the same: it is read as it is validated.
  mutating func settleTypes(
    _ schema: Int32, _ node: Tree.Node, isEntry: Bool = true, isMet: Bool = false
  ) {
    let rules = view.nodes[Int(schema)]
    guard rules.flags.contains(.asksForText), isMet || rules.flags.contains(.holdsOverlaps) else {
      return
    }
    let isMet = isMet || rules.flags.contains(.overlaps)
    let type =
      isEntry ? tree.type(of: node, asked: rules.asked, isSure: true) : tree.type(of: node)
    guard type == .map || type == .list else { return }
    if rules.inPlace >= 0 {
      let rules = view.inPlace[Int(rules.inPlace)]
      if rules.reference >= 0 { settleTypes(rules.reference, node, isEntry: false, isMet: isMet) }
      for index in rules.all.indices {
        settleTypes(view.references[index], node, isEntry: false, isMet: isMet)
      }
    }
    if type == .map, rules.map >= 0 { settleEntries(view.maps[Int(rules.map)], node, isMet) }
    if type == .list, rules.list >= 0 { settleElements(view.lists[Int(rules.list)], node, isMet) }
  }

  private mutating func settleEntries(_ rules: MapRules, _ node: Tree.Node, _ isMet: Bool) {
    if !isMet, rules.patterns.count == 0, rules.additional < 0 || !mustSettle(rules.additional) {
      return settleProperties(rules, node)
    }
    var cursor = tree.children(of: node)
    while let child = tree.next(&cursor) {
      var isMatched = false
      if let found = view.property(child.key, hash: child.hash, in: rules) {
        let schema = view.properties[found].schema
        isMatched = schema >= 0
        if isMatched { settleTypes(schema, child.node, isMet: isMet) }
      }
      for index in rules.patterns.indices {
        let rule = view.patternRules[index]
        var work = 0
        guard
          (try? view.patterns[Int(rule.pattern)].matches(child.key, countingSteps: &work)) == true
        else { continue }
        isMatched = true
        settleTypes(rule.schema, child.node, isMet: isMet)
      }
      if !isMatched, rules.additional >= 0 {
        settleTypes(rules.additional, child.node, isMet: isMet)
      }
    }
  }

  /// Whether there is something to be done for a schema that no other meets the value of.
  private func mustSettle(_ schema: Int32) -> Bool {
    view.nodes[Int(schema)].flags.isSuperset(of: [.asksForText, .holdsOverlaps])
  }

  /// Looks for the few properties where something is to be done, instead of through all entries.
  private mutating func settleProperties(_ rules: MapRules, _ node: Tree.Node) {
    for index in rules.properties.indices {
      let property = view.properties[index]
      guard property.schema >= 0, mustSettle(property.schema),
        let entry = tree.member(view.key(property), hash: property.hash, of: node)
      else { continue }
      settleTypes(property.schema, entry)
    }
  }

  private mutating func settleElements(_ rules: ListRules, _ node: Tree.Node, _ isMet: Bool) {
    var position = 0
    var cursor = tree.children(of: node)
    while let child = tree.next(&cursor) {
      let index = rules.prefix.indices
      let schema =
        position < index.count ? view.references[index.lowerBound + position] : rules.items
      if schema >= 0 { settleTypes(schema, child.node, isMet: isMet) }
      position += 1
    }
  }
}
