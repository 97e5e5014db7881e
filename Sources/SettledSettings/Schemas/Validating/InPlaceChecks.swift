/// Checks of schemas that apply to the same value.
extension Validator {
  mutating func checkInPlace(
    _ node: Tree.Node, _ type: JSONTypes, _ schema: Int32, _ marks: Int
  ) -> Bool {
    let rules = view.inPlace[Int(view.nodes[Int(schema)].inPlace)]
    var isValid = rules.reference < 0 || check(node, type, rules.reference, marks)
    for index in rules.all.indices where isValid || isCollecting {
      isValid = check(node, type, view.references[index], marks) && isValid
    }
    if rules.condition >= 0, isValid || isCollecting {
      isValid = checkCondition(node, type, rules, marks) && isValid
    }
    if rules.any.count > 0, isValid || isCollecting {
      isValid = checkAny(node, type, schema, rules.any, marks) && isValid
    }
    if rules.one.count > 0, isValid || isCollecting {
      isValid = checkOne(node, type, schema, rules.one, marks) && isValid
    }
    if rules.not >= 0, isValid || isCollecting,
      trying({ $0.check(node, type, rules.not, $0.noMarks) }), exceeded == nil
    {
      isValid = fail(.not, schema, node)
    }
    return isValid
  }

  private mutating func checkCondition(
    _ node: Tree.Node, _ type: JSONTypes, _ rules: InPlaceRules, _ marks: Int
  ) -> Bool {
    let holds = attempt(rules.condition, node, type, marks)
    guard exceeded == nil else { return false }
    let next = holds ? rules.then : rules.otherwise
    return next < 0 || check(node, type, next, marks)
  }

  /// Tries a schema, with a set of its own for what it evaluates.
  private mutating func attempt(
    _ schema: Int32, _ node: Tree.Node, _ type: JSONTypes, _ marks: Int
  ) -> Bool {
    marking(node, marks) { validator, marks in
      validator.trying { $0.check(node, type, schema, marks) }
    }
  }

  private mutating func checkAny(
    _ node: Tree.Node, _ type: JSONTypes, _ schema: Int32, _ choices: TableRange, _ marks: Int
  ) -> Bool {
    var holds = false
    for index in choices.indices where !holds || marks >= 0 {
      holds = attempt(view.references[index], node, type, marks) || holds
    }
    guard !holds, exceeded == nil else { return holds }
    for index in choices.indices where type == .map || type == .list {
      if tryLeniently(view.references[index], node, type, marks) { return true }
    }
    return failChoices(node, type, schema, choices, isOne: false)
  }

  private mutating func checkOne(
    _ node: Tree.Node, _ type: JSONTypes, _ schema: Int32, _ choices: TableRange, _ marks: Int
  ) -> Bool {
    var first: Int?
    for (position, index) in choices.indices.enumerated() {
      guard attempt(view.references[index], node, type, marks) else { continue }
      if let first {
        return fail(.manyChoices(first: first, second: position), schema, node)
      }
      first = position
    }
    guard first == nil, exceeded == nil else { return exceeded == nil }
    for index in choices.indices where type == .map || type == .list {
      if tryLeniently(view.references[index], node, type, marks) { return true }
    }
    return failChoices(node, type, schema, choices, isOne: true)
  }

  /// Tries a schema with plain scalars as the text it asks for, and reads them so where it holds.
  private mutating func tryLeniently(
    _ schema: Int32, _ node: Tree.Node, _ type: JSONTypes, _ marks: Int
  ) -> Bool {
    guard isSure || isLenient, view.nodes[Int(schema)].flags.contains(.asksForText) else {
      return false
    }
    let outer = isLenient
    isLenient = true
    let holds = attempt(schema, node, type, noMarks)
    isLenient = outer
    guard holds else { return false }
    return check(node, type, schema, marks)
  }

  /// Reports the choice that was most likely meant: the only one of the value's type, if there is one.
  private mutating func failChoices(
    _ node: Tree.Node, _ type: JSONTypes, _ schema: Int32, _ choices: TableRange, isOne: Bool
  ) -> Bool {
    guard isCollecting else { return false }
    let likely = choices.indices.filter { index in
      view.nodes[Int(view.references[index])].asked.contains(type)
    }
    if likely.count == 1, type == .map || type == .list || choices.count == 1 {
      let count = violations.count
      _ = check(node, type, view.references[likely[0]], noMarks)
      if violations.count > count { return false }
    }
    return fail(.noChoice(isOne: isOne), schema, node)
  }
}
