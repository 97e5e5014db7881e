internal import SettledValues
internal import SettledYAML

/// Violations in words.
struct ViolationText<Tree: Instances> {
  let schema: Schema
  let tree: Tree
  /// Whether a node's text may not be shown.
  let isSecret: (Tree.Node) -> Bool

  /// What is wrong.
  func message(_ violation: RawViolation<Tree.Node>) -> String {
    let isRoot = violation.path.components.isEmpty
    let subject = schema.subject
    let name = isRoot ? subject.name : "'\(violation.path)'"
    let has = isRoot ? "\(name) \(subject.has)" : "\(name) has"
    let node = schema.tables.nodes[Int(violation.schema)]
    let found = shown(violation.node)
    switch violation.rule {
    case .type: return "\(name) must be \(Self.words(node.types)), not \(found)"
    case .constant: return "\(name) must be \(constant(node)), not \(found)"
    case .choice: return "\(name) must be \(choices(node)), not \(found)"
    case .never: return "\(name) must not be set"
    case .pattern:
      return "\(name) must match the pattern \(pattern(node)), which \(found) does not"
    case .patternLimit:
      return "matching \(name) against a pattern took more steps than allowed"
    case .format:
      let format = schema.tables.texts[Int(node.text)].format
      return "\(name) must be \(format?.description ?? "of a format"), not \(found)"
    case .noChoice(let isOne): return noChoice(name, node, isOne, found)
    case .manyChoices(let first, let second):
      return "\(name) fits choices \(first + 1) and \(second + 1) of 'oneOf', and must fit one only"
    case .not: return "\(name) must not be what 'not' describes"
    case .name: return "the key '\(lastKey(violation.path))' is not an allowed name"
    case .unknown: return unknown(violation)
    case .required(let number): return "\(has) no '\(key(number))', which is required"
    case .dependent(let number, let other):
      return "\(has) '\(key(other))', and so \(isRoot ? subject.needs : "needs") '\(key(number))'"
    default: return limitMessage(violation, name, node, found)
    }
  }

  /// What to do.
  func hint(_ violation: RawViolation<Tree.Node>) -> String? {
    switch violation.rule {
    case .unknown:
      return lastKey(violation.path).hint(among: names(violation.schema))
    case .required(let number):
      let example = examples(schema.tables.properties[number].schema).first
      return example.map { "write '\(key(number)): \($0)'" }
    case .type, .pattern, .format, .minLength, .minItems:
      return hintOfForm(violation.schema)
    case .choice where tree.type(of: violation.node) == .string && !isSecret(violation.node):
      let text = String(decoding: tree.text(of: violation.node), as: UTF8.self)
      let meant = text.closest(among: textChoices(violation.schema))
      return meant.map { "did you mean '\($0)'?" }
    default: return nil
    }
  }

  /// The names that a map of a schema may have.
  func names(_ schema: Int32) -> [String] {
    let tables = self.schema.tables
    var (found, pending, seen): ([String], [Int32], Set<Int32>) = ([], [schema], [])
    while let number = pending.popLast() {
      guard number >= 0, seen.insert(number).inserted else { continue }
      let node = tables.nodes[Int(number)]
      if node.map >= 0 {
        let rules = tables.maps[Int(node.map)]
        found += tables.properties[rules.properties.indices].filter { $0.schema >= 0 }
          .map(tables.key)
      }
      if node.inPlace >= 0 {
        let rules = tables.inPlace[Int(node.inPlace)]
        pending += [rules.reference] + tables.references[rules.all.indices]
      }
    }
    return found
  }

  private func unknown(_ violation: RawViolation<Tree.Node>) -> String {
    var parent = violation.path
    guard case .key(let key)? = parent.components.popLast() else {
      return "'\(violation.path)' is one element more than allowed"
    }
    let subject = schema.subject
    let thing =
      parent.components.isEmpty ? "\(subject.name) \(subject.has)" : "'\(parent)' has"
    return "\(thing) no key '\(key)'"
  }

  private func limitMessage(
    _ violation: RawViolation<Tree.Node>, _ name: String, _ node: SchemaNode, _ found: String
  ) -> String {
    let tables = schema.tables
    let numbers = node.number >= 0 ? tables.numbers[Int(node.number)] : NumberRules()
    let texts = node.text >= 0 ? tables.texts[Int(node.text)] : TextRules()
    let lists = node.list >= 0 ? tables.lists[Int(node.list)] : ListRules()
    let maps = node.map >= 0 ? tables.maps[Int(node.map)] : MapRules()
    let count = tree.count(of: violation.node)
    switch violation.rule {
    case .minimum: return "\(name) must be at least \(Self.text(numbers.minimum)), not \(found)"
    case .maximum: return "\(name) must be at most \(Self.text(numbers.maximum)), not \(found)"
    case .exclusiveMinimum:
      return "\(name) must be above \(Self.text(numbers.exclusiveMinimum)), not \(found)"
    case .exclusiveMaximum:
      return "\(name) must be below \(Self.text(numbers.exclusiveMaximum)), not \(found)"
    case .multipleOf:
      return "\(name) must be a multiple of \(written("multipleOf", node)), not \(found)"
    case .minLength:
      return
        "\(name) must have at least \(Self.counted(texts.minLength, "character")), not \(found)"
    case .maxLength:
      return
        "\(name) must have at most \(Self.counted(texts.maxLength, "character")), not \(length(violation.node))"
    case .minItems:
      return "\(name) must have at least \(Self.counted(lists.minItems, "element")), not \(count)"
    case .maxItems:
      return "\(name) must have at most \(Self.counted(lists.maxItems, "element")), not \(count)"
    case .unique(let first, let second):
      return "\(name) must not repeat elements: \(first) and \(second) are the same"
    case .contains(let found): return contains(name, lists, found)
    case .minProperties:
      return "\(name) must have at least \(Self.counted(maps.minProperties, "key")), not \(count)"
    default:
      return "\(name) must have at most \(Self.counted(maps.maxProperties, "key")), not \(count)"
    }
  }

  private func contains(_ name: String, _ rules: ListRules, _ found: Int) -> String {
    let isFew = found < rules.minContains
    let limit = isFew ? rules.minContains : rules.maxContains
    return "\(name) must have at \(isFew ? "least" : "most") "
      + "\(Self.counted(limit, "element")) as 'contains' describes, not \(found)"
  }

  private func noChoice(
    _ name: String, _ node: SchemaNode, _ isOne: Bool, _ found: String
  ) -> String {
    let rules = schema.tables.inPlace[Int(node.inPlace)]
    let choices = schema.tables.references[(isOne ? rules.one : rules.any).indices]
    let types = choices.reduce(into: JSONTypes()) {
      $0.formUnion(schema.tables.nodes[Int($1)].asked)
    }
    let keyword = isOne ? "oneOf" : "anyOf"
    guard types != .any else { return "\(name) fits none of the choices of '\(keyword)'" }
    return
      "\(name) must be \(Self.words(types)) as one of the choices of '\(keyword)', not \(found)"
  }

  private func lastKey(_ path: Path) -> String {
    if case .key(let key)? = path.components.last { key } else { "" }
  }

  private func key(_ number: Int) -> String {
    schema.tables.key(schema.tables.properties[number])
  }
}
