internal import SettledPatterns

/// Checks of numbers, strings and constants.
extension Validator {
  mutating func checkNumber(_ node: Tree.Node, _ schema: Int32) -> Bool {
    let rules = view.numbers[Int(view.nodes[Int(schema)].number)]
    let number = tree.number(of: node)
    var isValid = true
    if let limit = rules.minimum, !(limit < number || limit == number) {
      isValid = fail(.minimum, schema, node)
    }
    if let limit = rules.maximum, !(number < limit || limit == number) {
      isValid = fail(.maximum, schema, node)
    }
    if let limit = rules.exclusiveMinimum, !(limit < number) {
      isValid = fail(.exclusiveMinimum, schema, node)
    }
    if let limit = rules.exclusiveMaximum, !(number < limit) {
      isValid = fail(.exclusiveMaximum, schema, node)
    }
    if let divisor = rules.multipleOf,
      !(DecimalNumber(number)?.isMultiple(of: divisor) ?? false)
    {
      isValid = fail(.multipleOf, schema, node)
    }
    return isValid
  }

  mutating func checkText(
    _ text: UnsafeBufferPointer<UInt8>, _ node: Tree.Node, _ schema: Int32
  ) -> Bool {
    let rules = view.texts[Int(view.nodes[Int(schema)].text)]
    var isValid = true
    if text.count < rules.minLength || text.count > rules.maxLength || rules.minLength > 0 {
      let length = text.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
      if length < rules.minLength { isValid = fail(.minLength, schema, node) }
      if length > rules.maxLength { isValid = fail(.maxLength, schema, node) }
    }
    guard isValid || isCollecting else { return false }
    if rules.pattern >= 0, matches(rules.pattern, text, schema, node) == false {
      isValid = fail(.pattern, schema, node)
    }
    if let format = rules.format, !format.takes(text, patterns: limits.patterns) {
      isValid = fail(.format, schema, node)
    }
    return isValid
  }

  /// Searches text for a pattern; nil where that takes more work than allowed, which is a violation.
  mutating func matches(
    _ pattern: Int32, _ text: UnsafeBufferPointer<UInt8>, _ schema: Int32, _ node: Tree.Node
  ) -> Bool? {
    var work = 0
    defer { charge(work) }
    do throws(PatternError) {
      return try view.patterns[Int(pattern)].matches(
        text, countingSteps: &work, scratch: searchMemory())
    } catch {
      exceedPattern(schema, node)
      return nil
    }
  }

  mutating func checkConstants(
    _ node: Tree.Node, _ type: JSONTypes, _ schema: Int32
  ) -> Bool {
    let rules = view.constants[Int(view.nodes[Int(schema)].constants)]
    var isValid = true
    if rules.constant >= 0, !isConstant(node, type, rules.constant) {
      isValid = fail(.constant, schema, node)
    }
    guard rules.choices.count > 0 || rules.constant < 0 else { return isValid }
    if !isChoice(node, type, rules) { isValid = fail(.choice, schema, node) }
    return isValid
  }

  private func isChoice(_ node: Tree.Node, _ type: JSONTypes, _ rules: ConstantRules) -> Bool {
    guard rules.mask > 0, type == tree.type(of: node) else {
      return rules.choices.indices.contains { isConstant(node, type, view.references[$0]) }
    }
    let hash = JSONEquality.hash(node, in: tree)
    var slot = hash & rules.mask
    while case let choice = view.slots[Int(rules.slots) + Int(slot)], choice >= 0 {
      if isConstant(node, type, choice) { return true }
      slot = (slot + 1) & rules.mask
    }
    return false
  }

  private func isConstant(_ node: Tree.Node, _ type: JSONTypes, _ constant: Int32) -> Bool {
    let constant = UInt32(constant)
    // A scalar that is read as text for now is not noted as text.
    if type == .string {
      return view.values.type(of: constant) == .string
        && isSameBytes(tree.text(of: node), view.values.text(of: constant))
    }
    return JSONEquality.isSame(node, in: tree, as: constant, in: view.values)
  }
}
