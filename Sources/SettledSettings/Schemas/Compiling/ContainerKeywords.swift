internal import SettledValues
internal import SettledYAML

/// Keywords of lists and maps.
extension SchemaCompiler {
  mutating func readListRules(_ number: Int32, _ keywords: SchemaKeywords) {
    guard
      keywords.has(
        "prefixItems", "items", "contains", "minContains", "maxContains", "minItems", "maxItems",
        "uniqueItems", "unevaluatedItems")
    else { return }
    var rules = ListRules()
    rules.prefix = schemas("prefixItems", keywords) ?? TableRange()
    rules.items = schema("items", keywords) ?? SchemaNode.none
    rules.contains = schema("contains", keywords) ?? SchemaNode.none
    rules.minContains = count("minContains", keywords) ?? 1
    rules.maxContains = count("maxContains", keywords) ?? .max
    rules.minItems = count("minItems", keywords) ?? 0
    rules.maxItems = count("maxItems", keywords) ?? .max
    rules.isUnique = flag("uniqueItems", keywords)
    rules.unevaluated = schema("unevaluatedItems", keywords) ?? SchemaNode.none
    tables.nodes[Int(number)].list = Int32(truncatingIfNeeded: tables.lists.count)
    tables.lists.append(rules)
  }

  mutating func readMapRules(_ number: Int32, _ keywords: SchemaKeywords) {
    guard
      keywords.has(
        "properties", "patternProperties", "additionalProperties", "propertyNames", "required",
        "minProperties", "maxProperties", "dependentRequired", "dependentSchemas",
        "unevaluatedProperties", "dependencies")
    else { return }
    var rules = MapRules()
    readProperties(&rules, keywords)
    rules.patterns = patternProperties(keywords)
    rules.additional = schema("additionalProperties", keywords) ?? SchemaNode.none
    rules.names = schema("propertyNames", keywords) ?? SchemaNode.none
    rules.minProperties = count("minProperties", keywords) ?? 0
    rules.maxProperties = count("maxProperties", keywords) ?? .max
    rules.unevaluated = schema("unevaluatedProperties", keywords) ?? SchemaNode.none
    tables.nodes[Int(number)].map = Int32(truncatingIfNeeded: tables.maps.count)
    tables.maps.append(rules)
  }

  private mutating func patternProperties(_ keywords: SchemaKeywords) -> TableRange {
    guard let entries = entries("patternProperties", keywords) else { return TableRange() }
    let start = tables.patternRules.count
    for entry in entries {
      let pattern = pattern(entry.value, entry.key, keyPlace: entry.keyPlace)
      tables.patternRules.append(PatternRule(pattern: pattern, schema: schema(entry.value)))
    }
    return TableRange(
      start: Int32(truncatingIfNeeded: start), count: Int32(truncatingIfNeeded: entries.count))
  }

  /// Reads all keywords that name properties.
  private mutating func readProperties(_ rules: inout MapRules, _ keywords: SchemaKeywords) {
    var named = NamedProperties(start: tables.properties.count)
    for entry in entries("properties", keywords) ?? [] {
      named.edit(entry.key) { $0.schema = schema(entry.value) }
    }
    for name in keywords["required"].map({ names("required", $0) }) ?? [] {
      named.edit(name) { rule in
        if !rule.isRequired { rules.requiredCount += 1 }
        rule.isRequired = true
      }
    }
    rules.hasDependents = keywords.has("dependentRequired", "dependentSchemas", "dependencies")
    readDependents(&named, keywords)
    guard !named.rules.isEmpty else { return }
    add(named, to: &rules)
  }

  /// Reads what the presence of properties asks for; `dependencies` is the older name of both.
  private mutating func readDependents(
    _ named: inout NamedProperties, _ keywords: SchemaKeywords
  ) {
    let both = entries("dependencies", keywords) ?? []
    let required = entries("dependentRequired", keywords, of: "lists of names") ?? []
    for entry in required + both.filter({ $0.value.kind == .list }) {
      let others = names("dependentRequired", entry.value).map { named.number(of: $0) }
      let range = refer(to: others)
      named.edit(entry.key) { $0.dependents = range }
    }
    let schemas = entries("dependentSchemas", keywords) ?? []
    for entry in schemas + both.filter({ $0.value.kind != .list }) {
      named.edit(entry.key) { $0.dependentSchema = schema(entry.value) }
    }
  }

  private mutating func add(_ named: NamedProperties, to rules: inout MapRules) {
    rules.properties = TableRange(
      start: Int32(truncatingIfNeeded: tables.properties.count),
      count: Int32(truncatingIfNeeded: named.rules.count))
    var pairs: [(number: Int32, hash: UInt32)] = []
    for (name, rule) in zip(named.names, named.rules) {
      var (name, rule) = (name, rule)
      rule.keyStart = Int32(truncatingIfNeeded: tables.keyBytes.count)
      rule.keyCount = Int32(truncatingIfNeeded: name.utf8.count)
      rule.hash = name.withUTF8 { YAMLDocument.keyHash($0) }
      tables.keyBytes += name.utf8
      pairs.append((Int32(truncatingIfNeeded: tables.properties.count), rule.hash))
      tables.properties.append(rule)
    }
    (rules.slots, rules.mask) = addIndex(pairs)
  }
}

/// The properties that the keywords of one schema name, each once.
private struct NamedProperties {
  /// The number that the first will have.
  let start: Int
  private(set) var names: [String] = []
  private(set) var rules: [PropertyRule] = []
  private var positions: [Value: Int] = [:]

  init(start: Int) {
    self.start = start
  }

  mutating func edit(_ name: String, _ body: (inout PropertyRule) -> Void) {
    let position = Int(number(of: name)) - start
    body(&rules[position])
  }

  /// The number that the property will have.
  mutating func number(of name: String) -> Int32 {
    let key = Value.string(name)
    if let position = positions[key] { return Int32(truncatingIfNeeded: start + position) }
    positions[key] = rules.count
    names.append(name)
    rules.append(PropertyRule(keyStart: 0, keyCount: 0, hash: 0))
    return Int32(truncatingIfNeeded: start + rules.count - 1)
  }
}
