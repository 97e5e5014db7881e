internal import SettledValues
internal import SettledYAML

/// What is known of a schema once all that it refers to is known.
extension SchemaCompiler {
  /// Schemas that apply to the same value as the schema `number`.
  private func inPlace(_ number: Int32) -> [Int32] {
    let node = tables.nodes[Int(number)]
    var others: [Int32] = []
    if node.inPlace >= 0 {
      let rules = tables.inPlace[Int(node.inPlace)]
      others += [rules.reference, rules.not, rules.condition, rules.then, rules.otherwise]
      for range in [rules.all, rules.any, rules.one] { others += tables.references[range.indices] }
    }
    if node.map >= 0 {
      let rules = tables.maps[Int(node.map)]
      others += tables.properties[rules.properties.indices].map(\.dependentSchema)
    }
    return others.filter { $0 >= 0 }
  }

  /// Schemas that apply to what is in the value.
  private func below(_ number: Int32) -> [Int32] {
    let node = tables.nodes[Int(number)]
    var others: [Int32] = []
    if node.list >= 0 {
      let rules = tables.lists[Int(node.list)]
      others += tables.references[rules.prefix.indices]
      others += [rules.items, rules.contains, rules.unevaluated]
    }
    if node.map >= 0 {
      let rules = tables.maps[Int(node.map)]
      others += tables.properties[rules.properties.indices].map(\.schema)
      others += tables.patternRules[rules.patterns.indices].map(\.schema)
      others += [rules.additional, rules.unevaluated]
    }
    return others.filter { $0 >= 0 }
  }

  /// Refuses schemas that lead back to themselves without going into the value, and chains of them
  /// that are too long.
  mutating func checkCycles() {
    let (unknown, onPath) = (-1, -2)
    var heights = [Int](repeating: unknown, count: tables.nodes.count)
    for start in tables.nodes.indices where heights[start] == unknown {
      var path = [(number: Int32(start), others: inPlace(Int32(start))[...])]
      heights[start] = onPath
      while let (number, others) = path.last {
        guard let next = others.first else {
          path.removeLast()
          heights[Int(number)] = 1 + (inPlace(number).map { heights[Int($0)] }.max() ?? 0)
          if heights[Int(number)] > limits.depth { return refuseDepth(number) }
          continue
        }
        path[path.count - 1].others = others.dropFirst()
        if heights[Int(next)] == onPath { return refuseCycle(next) }
        if heights[Int(next)] == unknown {
          heights[Int(next)] = onPath
          path.append((next, inPlace(next)[...]))
        }
      }
    }
  }

  private mutating func refuseCycle(_ number: Int32) {
    let node = root.document.node(tables.nodes[Int(number)].entry)
    faults.append(
      (node["$ref"] ?? node).fault(
        "this schema refers to itself for the same value, without end",
        hint: "let it refer to itself below 'properties' or 'items' only"))
  }

  private mutating func refuseDepth(_ number: Int32) {
    let node = root.document.node(tables.nodes[Int(number)].entry)
    faults.append(
      node.fault(
        "schemas refer to each other too deep: the limit 'schema.depth' is \(limits.depth)")
    )
  }

  /// Finds out what each schema takes with all that it refers to, and what is below it.
  mutating func spread() {
    var isDone = [Bool](repeating: false, count: tables.nodes.count)
    for number in tables.nodes.indices { _ = asked(Int32(number), &isDone) }
    spread(.holdsDefaults) { $0.defaultEntry != .max }
    spread(.holdsSecrets) { $0.flags.contains(.isSecret) }
    spread(.holdsDeprecated) { $0.flags.contains(.isDeprecated) }
    spread(.asksForText) { $0.asked.contains(.string) && $0.asked != .any }
    for number in tables.nodes.indices {
      if overlaps(tables.nodes[number]) { tables.nodes[number].flags.insert(.overlaps) }
      if asksTextOnly(tables.nodes[number]) { tables.nodes[number].flags.insert(.asksTextOnly) }
    }
    spread(.holdsOverlaps) { $0.flags.contains(.overlaps) }
  }

  /// Whether what is in a value can be met by more schemas than this one, or may not be met, so that
  /// how scalars are read must be known beforehand.
  private func overlaps(_ node: SchemaNode) -> Bool {
    if node.inPlace >= 0 {
      let rules = tables.inPlace[Int(node.inPlace)]
      if node.list >= 0 || node.map >= 0 || !rules.isReference { return true }
    }
    if node.list >= 0, tables.lists[Int(node.list)].contains >= 0 { return true }
    guard node.map >= 0 else { return false }
    let rules = tables.maps[Int(node.map)]
    return rules.patterns.count > 0 || rules.hasDependents
  }

  private func asksTextOnly(_ node: SchemaNode) -> Bool {
    node.types.contains(.string) && node.inPlace < 0 && node.constants < 0
      && !node.flags.contains(.isNever)
  }

  /// The types that a schema takes with those that apply to the same value.
  private mutating func asked(_ number: Int32, _ isDone: inout [Bool]) -> JSONTypes {
    if isDone[Int(number)] { return tables.nodes[Int(number)].asked }
    let node = tables.nodes[Int(number)]
    var asked = node.types
    if node.inPlace >= 0 {
      let rules = tables.inPlace[Int(node.inPlace)]
      let sure = [rules.reference].filter { $0 >= 0 } + tables.references[rules.all.indices]
      for other in sure { asked.formIntersection(self.asked(other, &isDone)) }
      for range in [rules.any, rules.one] where range.count > 0 {
        var choice: JSONTypes = []
        for other in tables.references[range.indices] {
          choice.formUnion(self.asked(other, &isDone))
        }
        asked.formIntersection(choice)
      }
    }
    if node.constants >= 0 {
      asked.formIntersection(types(of: tables.constants[Int(node.constants)]))
    }
    if asked.isEmpty { asked = .any }
    tables.nodes[Int(number)].asked = asked
    isDone[Int(number)] = true
    return asked
  }

  private func types(of rules: ConstantRules) -> JSONTypes {
    let choices = tables.references[rules.choices.indices] + [rules.constant].filter { $0 >= 0 }
    return choices.reduce(into: []) { $0.formUnion(tables.values.records[Int($1)].type) }
  }

  /// Marks schemas that have something, and all that lead to them.
  private mutating func spread(_ flag: SchemaNode.Flags, where isMet: (SchemaNode) -> Bool) {
    var parents = [[Int32]](repeating: [], count: tables.nodes.count)
    for number in tables.nodes.indices {
      for other in inPlace(Int32(number)) + below(Int32(number)) {
        parents[Int(other)].append(Int32(number))
      }
    }
    var found = tables.nodes.indices.filter { isMet(tables.nodes[$0]) }
    while let number = found.popLast() {
      guard !tables.nodes[number].flags.contains(flag) else { continue }
      tables.nodes[number].flags.insert(flag)
      found += parents[number].map(Int.init)
    }
  }
}

extension InPlaceRules {
  /// Whether there is nothing but a reference.
  fileprivate var isReference: Bool {
    all.count + any.count + one.count == 0
      && [not, condition, then, otherwise].allSatisfy { $0 == SchemaNode.none }
  }
}
