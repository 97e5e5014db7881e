internal import SettledValues

/// Checks of maps and lists.
extension Validator {
  mutating func checkMap(_ node: Tree.Node, _ schema: Int32, _ marks: Int) -> Bool {
    let rules = view.maps[Int(view.nodes[Int(schema)].map)]
    var isValid = true
    var (position, required) = (0, 0)
    var cursor = tree.children(of: node)
    while let child = tree.next(&cursor) {
      let found = view.property(child.key, hash: child.hash, in: rules)
      if let found {
        let property = view.properties[found]
        if property.isRequired { required += 1 }
        if rules.hasDependents {
          isValid = checkDependents(property, found, node, schema, marks) && isValid
        }
      }
      isValid = checkEntry(child, position, found, rules, schema, marks) && isValid
      guard isValid || isCollecting else { return false }
      position += 1
    }
    if required < rules.requiredCount { isValid = reportMissing(node, rules, schema) }
    if position < rules.minProperties { isValid = fail(.minProperties, schema, node) }
    if position > rules.maxProperties { isValid = fail(.maxProperties, schema, node) }
    return isValid
  }

  private mutating func checkEntry(
    _ child: InstanceChild<Tree.Node>, _ position: Int, _ property: Int?, _ rules: MapRules,
    _ schema: Int32, _ marks: Int
  ) -> Bool {
    var (isValid, isEvaluated) = (true, false)
    if let property, case let known = view.properties[property].schema, known >= 0 {
      isEvaluated = true
      isValid = applyOrClose(known, schema, child, position, .map)
    }
    for index in rules.patterns.indices where isValid || isCollecting {
      let rule = view.patternRules[index]
      guard let isMatch = matches(rule.pattern, child.key, schema, child.node) else {
        isValid = false
        continue
      }
      guard isMatch else { continue }
      isEvaluated = true
      isValid = applyOrClose(rule.schema, schema, child, position, .map) && isValid
    }
    if !isEvaluated, rules.additional >= 0 {
      isEvaluated = true
      isValid = applyOrClose(rules.additional, schema, child, position, .map) && isValid
    }
    if isEvaluated { mark(marks, position) }
    if rules.names >= 0, isValid || isCollecting {
      isValid = checkName(child, position, rules.names, schema) && isValid
    }
    return isValid
  }

  /// Checks a key as a string.
  private mutating func checkName(
    _ child: InstanceChild<Tree.Node>, _ position: Int, _ names: Int32, _ schema: Int32
  ) -> Bool {
    if holdsName(child, names) { return true }
    step(into: child, position, .map)
    defer { stepOut() }
    return fail(.name, schema, child.node)
  }

  private mutating func holdsName(_ child: InstanceChild<Tree.Node>, _ names: Int32) -> Bool {
    let rules = view.nodes[Int(names)]
    if rules.flags.contains(.asksTextOnly) {
      return rules.text < 0 || trying { $0.checkText(child.key, child.node, names) }
    }
    var table = ValueTable()
    table.add(.string(String(decoding: child.key, as: UTF8.self)))
    return table.withInstances { instances in
      var validator = Validator<ValueInstances>(view, instances, limits)
      defer { charge(validator.work) }
      return validator.apply(names, to: 0)
    }
  }

  private mutating func checkDependents(
    _ property: PropertyRule, _ number: Int, _ node: Tree.Node, _ schema: Int32, _ marks: Int
  ) -> Bool {
    var isValid = true
    for index in property.dependents.indices {
      let other = view.properties[Int(view.references[index])]
      if tree.member(view.key(other), hash: other.hash, of: node) == nil {
        isValid = fail(.dependent(Int(view.references[index]), of: number), schema, node)
      }
    }
    guard property.dependentSchema >= 0, isValid || isCollecting else { return isValid }
    return check(node, .map, property.dependentSchema, marks) && isValid
  }

  private mutating func reportMissing(
    _ node: Tree.Node, _ rules: MapRules, _ schema: Int32
  ) -> Bool {
    guard isCollecting else { return false }
    for index in rules.properties.indices where view.properties[index].isRequired {
      let property = view.properties[index]
      if tree.member(view.key(property), hash: property.hash, of: node) == nil {
        _ = fail(.required(index), schema, node)
      }
    }
    return false
  }

  mutating func checkList(_ node: Tree.Node, _ schema: Int32, _ marks: Int) -> Bool {
    let rules = view.lists[Int(view.nodes[Int(schema)].list)]
    var isValid = true
    var (position, contained) = (0, 0)
    var cursor = tree.children(of: node)
    while let child = tree.next(&cursor) {
      let index = rules.prefix.indices
      let item =
        position < index.count ? view.references[index.lowerBound + position] : rules.items
      if item >= 0 {
        mark(marks, position)
        isValid = applyOrClose(item, schema, child, position, .list) && isValid
        guard isValid || isCollecting else { return false }
      }
      if rules.contains >= 0, trying({ $0.apply(rules.contains, to: child.node) }) {
        mark(marks, position)
        contained += 1
      }
      position += 1
    }
    if position < rules.minItems { isValid = fail(.minItems, schema, node) }
    if position > rules.maxItems { isValid = fail(.maxItems, schema, node) }
    if rules.contains >= 0, contained < rules.minContains || contained > rules.maxContains {
      isValid = fail(.contains(found: contained), schema, node)
    }
    guard rules.isUnique, position > 1, isValid || isCollecting else { return isValid }
    return checkUnique(node, schema) && isValid
  }

  private mutating func checkUnique(_ node: Tree.Node, _ schema: Int32) -> Bool {
    if tree.count(of: node) <= 8 { return checkFewUnique(node, schema) }
    var known: [UInt32: [(position: Int, node: Tree.Node)]] = [:]
    var position = 0
    var cursor = tree.children(of: node)
    while let child = tree.next(&cursor) {
      let hash = JSONEquality.hash(child.node, in: tree)
      for other in known[hash] ?? []
      where JSONEquality.isSame(other.node, in: tree, as: child.node, in: tree) {
        return fail(.unique(first: other.position, second: position), schema, child.node)
      }
      known[hash, default: []].append((position, child.node))
      position += 1
    }
    return true
  }

  /// Compares each element with those behind it, which for few is less work than an index.
  private mutating func checkFewUnique(_ node: Tree.Node, _ schema: Int32) -> Bool {
    var cursor = tree.children(of: node)
    var position = 0
    while let child = tree.next(&cursor) {
      var (rest, other) = (cursor, position + 1)
      while let later = tree.next(&rest) {
        if JSONEquality.isSame(child.node, in: tree, as: later.node, in: tree) {
          return fail(.unique(first: position, second: other), schema, later.node)
        }
        other += 1
      }
      position += 1
    }
    return true
  }
}
