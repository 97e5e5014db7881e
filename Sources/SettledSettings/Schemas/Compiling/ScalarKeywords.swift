internal import SettledPatterns
internal import SettledValues
internal import SettledYAML

/// Keywords of types, numbers, strings and constants.
extension SchemaCompiler {
  mutating func readTypes(_ number: Int32, _ keywords: SchemaKeywords) {
    guard let node = keywords["type"] else { return }
    var types: JSONTypes = []
    for name in node.kind == .list ? node.elements : [node] {
      guard name.kind == .scalar, let known = JSONTypes.names.first(where: { $0.name == name.text })
      else {
        faults.append(
          name.fault(
            "there is no type \(name.kind == .scalar ? "'\(name.text)'" : "of that form")",
            hint: Self.typeHint(name)))
        continue
      }
      types.formUnion(known.types)
    }
    if node.kind == .list, node.count == 0 {
      faults.append(node.fault("'type' must name at least one type"))
    }
    tables.nodes[Int(number)].types = types
  }

  private static func typeHint(_ node: YAMLNode) -> String {
    let names = JSONTypes.names.map(\.name)
    if node.kind == .scalar, let meant = node.text.closest(among: names) {
      return "did you mean '\(meant)'?"
    }
    return "the types are: " + names.joined(separator: ", ")
  }

  mutating func readNumberRules(_ number: Int32, _ keywords: SchemaKeywords) {
    guard
      keywords.has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
    else { return }
    var rules = NumberRules(
      minimum: self.number("minimum", keywords), maximum: self.number("maximum", keywords),
      exclusiveMinimum: self.number("exclusiveMinimum", keywords),
      exclusiveMaximum: self.number("exclusiveMaximum", keywords))
    if let divisor = self.number("multipleOf", keywords), let node = keywords["multipleOf"] {
      rules.multipleOf = divisor.double > 0 ? DecimalNumber(divisor) : nil
      if rules.multipleOf == nil { faults.append(node.fault("'multipleOf' must be above 0")) }
    }
    tables.nodes[Int(number)].number = Int32(truncatingIfNeeded: tables.numbers.count)
    tables.numbers.append(rules)
  }

  mutating func readTextRules(_ number: Int32, _ keywords: SchemaKeywords) {
    guard keywords.has("minLength", "maxLength", "pattern", "format") else { return }
    var rules = TextRules()
    rules.minLength = count("minLength", keywords) ?? 0
    rules.maxLength = count("maxLength", keywords) ?? .max
    if text("pattern", keywords) != nil, let node = keywords["pattern"] {
      rules.pattern = pattern(node, node.text)
    }
    if let name = text("format", keywords), limits.assertsFormats {
      rules.format = TextFormat.allCases.first { $0.name == name }
    }
    tables.nodes[Int(number)].text = Int32(truncatingIfNeeded: tables.texts.count)
    tables.texts.append(rules)
  }

  /// Compiles a pattern that `node` is or has as its key.
  mutating func pattern(_ node: YAMLNode, _ source: String, keyPlace: Place? = nil) -> Int32 {
    do throws(PatternError) {
      let pattern = try Pattern(source, syntax: .ecmaScript, limits: limits.patterns)
      tables.patterns.append(pattern)
    } catch {
      let message = "this is no regular expression: \(error.message)"
      if let keyPlace {
        faults.append(
          Diagnostic(.error, message, at: keyPlace, excerpt: node.excerpt(at: keyPlace)))
      } else {
        faults.append(node.fault(message, atContentOffset: error.offset ?? 0))
      }
      return SchemaNode.none
    }
    return Int32(truncatingIfNeeded: tables.patterns.count - 1)
  }

  mutating func readConstants(_ number: Int32, _ keywords: SchemaKeywords) {
    guard keywords.has("enum", "const") else { return }
    let isText = tables.nodes[Int(number)].types == .string
    var rules = ConstantRules()
    if let node = keywords["const"] { rules.constant = constant(node, isText) }
    if let node = keywords["enum"] {
      if node.kind == .list {
        rules.choices = refer(to: node.elements.map { constant($0, isText) })
        if rules.choices.count > 8 { index(&rules) }
      } else {
        faults.append(node.fault("'enum' must be a list of values"))
      }
    }
    tables.nodes[Int(number)].constants = Int32(truncatingIfNeeded: tables.constants.count)
    tables.constants.append(rules)
  }

  /// The number of a constant; a plain scalar is text where only text is taken.
  private mutating func constant(_ node: YAMLNode, _ isText: Bool) -> Int32 {
    let isUntyped = isText && node.kind == .scalar && node.style == .plain && !node.isNull
    let value = isUntyped ? .string(node.text) : Self.value(node)
    return Int32(truncatingIfNeeded: tables.values.add(value))
  }

  /// Makes an index over many choices.
  private mutating func index(_ rules: inout ConstantRules) {
    let choices = tables.references[rules.choices.indices]
    let hashes = tables.values.withInstances { values in
      choices.map { JSONEquality.hash(UInt32($0), in: values) }
    }
    let pairs = zip(choices, hashes).map { (number: $0, hash: $1) }
    (rules.slots, rules.mask) = addIndex(pairs)
  }

  /// Adds an index of numbers addressed by their hashes.
  mutating func addIndex(_ pairs: [(number: Int32, hash: UInt32)]) -> (start: Int32, mask: UInt32) {
    var size = 4
    while size < pairs.count * 2 { size *= 2 }
    let start = tables.slots.count
    tables.slots += [Int32](repeating: SchemaNode.none, count: size)
    for (number, hash) in pairs {
      var slot = Int(hash) & (size - 1)
      while tables.slots[start + slot] >= 0 { slot = (slot + 1) & (size - 1) }
      tables.slots[start + slot] = number
    }
    return (Int32(truncatingIfNeeded: start), UInt32(truncatingIfNeeded: size - 1))
  }
}
