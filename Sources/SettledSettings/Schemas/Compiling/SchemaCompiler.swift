internal import SettledPatterns
internal import SettledValues
internal import SettledYAML

/// Makes tables of the document of a schema, with every fault at its place.
struct SchemaCompiler {
  let root: YAMLNode
  let limits: SchemaLimits
  var tables = SchemaTables()
  var faults: [Diagnostic] = []
  var warnings: [Diagnostic] = []
  /// Schemas by the name that `$anchor` gives them.
  var anchors: [Value: YAMLNode] = [:]
  /// References that are still to be led to their schema.
  var references: [(schema: Int32, node: YAMLNode)] = []
  /// The numbers of schemas by their entries in the document.
  private var numbers: [UInt32: Int32] = [:]
  private var pending: [(node: YAMLNode, schema: Int32)] = []

  init(root: YAMLNode, limits: SchemaLimits) {
    self.root = root
    self.limits = limits
  }

  /// Compiles the root and all that it leads to.
  mutating func compile() {
    tables.root = schema(root)
    compilePending()
    while let (schema, node) = references.popLast() {
      if let target = target(of: node) {
        let number = self.schema(target)
        let rules = tables.nodes[Int(schema)].inPlace
        tables.inPlace[Int(rules)].reference = number
      }
      compilePending()
    }
    guard faults.isEmpty else { return sortFaults() }
    checkCycles()
    guard faults.isEmpty else { return sortFaults() }
    spread()
  }

  private mutating func sortFaults() {
    faults = faults.enumerated().sorted { left, right in
      let (first, second) = (left.element.place, right.element.place)
      return (first?.line ?? 0, first?.column ?? 0, left.offset)
        < (second?.line ?? 0, second?.column ?? 0, right.offset)
    }.map(\.element)
  }

  private mutating func compilePending() {
    while let (node, schema) = pending.popLast() { fill(schema, node) }
  }

  /// The number of the schema at a node, which is compiled later.
  mutating func schema(_ node: YAMLNode) -> Int32 {
    if let known = numbers[node.entry] { return known }
    let number = Int32(truncatingIfNeeded: tables.nodes.count)
    tables.nodes.append(SchemaNode(entry: node.entry))
    numbers[node.entry] = number
    pending.append((node, number))
    return number
  }

  private mutating func fill(_ number: Int32, _ node: YAMLNode) {
    if node.kind == .scalar, case .bool(let takesAll) = node.value() {
      tables.nodes[Int(number)].flags = takesAll ? .isAlways : .isNever
      return
    }
    guard node.kind == .map else {
      faults.append(node.fault("a schema must be a map, true or false"))
      return
    }
    let keywords = SchemaKeywords(node)
    checkKeywords(node, keywords)
    readCore(number, keywords)
    readTypes(number, keywords)
    readNumberRules(number, keywords)
    readTextRules(number, keywords)
    readListRules(number, keywords)
    readMapRules(number, keywords)
    readInPlaceRules(number, keywords)
    readConstants(number, keywords)
    readAnnotations(number, keywords)
    if tables.nodes[Int(number)].asksNothing { tables.nodes[Int(number)].flags.insert(.isAlways) }
  }

  /// Warns of keywords that look like others, which would do nothing.
  private mutating func checkKeywords(_ node: YAMLNode, _ keywords: SchemaKeywords) {
    for entry in node.entries where !SchemaKeywords.known.contains(entry.key) {
      guard let meant = entry.key.closest(among: SchemaKeywords.known), entry.key.utf8.count > 3
      else { continue }
      warnings.append(
        Diagnostic(
          .warning, "schemas have no keyword '\(entry.key)', so it does nothing",
          at: entry.keyPlace,
          excerpt: node.excerpt(at: entry.keyPlace, length: entry.key.unicodeScalars.count),
          hint: "did you mean '\(meant)'?"))
    }
  }
}

extension SchemaNode {
  fileprivate var asksNothing: Bool {
    types == .any && flags.isEmpty && defaultEntry == .max
      && [number, text, list, map, inPlace, constants].allSatisfy { $0 == Self.none }
  }
}

/// The keywords of one schema.
struct SchemaKeywords {
  let node: YAMLNode
  private let entries: [String: YAMLNode]

  /// All keywords that do or say something.
  static let known = [
    "$id", "$schema", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary",
    "$comment", "$defs", "definitions", "type", "enum", "const", "multipleOf", "maximum",
    "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength", "pattern",
    "maxItems", "minItems", "uniqueItems", "maxContains", "minContains", "maxProperties",
    "minProperties", "required", "dependentRequired", "allOf", "anyOf", "oneOf", "not", "if",
    "then", "else", "dependentSchemas", "dependencies", "prefixItems", "items", "contains",
    "properties",
    "patternProperties", "additionalProperties", "propertyNames", "unevaluatedItems",
    "unevaluatedProperties", "title", "description", "default", "deprecated", "readOnly",
    "writeOnly", "examples", "format", "contentEncoding", "contentMediaType", "contentSchema",
  ]

  init(_ node: YAMLNode) {
    self.node = node
    entries = Dictionary(node.entries.map { ($0.key, $0.value) }) { first, _ in first }
  }

  /// The value of a keyword, or nil where it is not there.
  subscript(keyword: String) -> YAMLNode? { entries[keyword] }

  /// Whether one of some keywords is there.
  func has(_ keywords: String...) -> Bool { keywords.contains { entries[$0] != nil } }
}
