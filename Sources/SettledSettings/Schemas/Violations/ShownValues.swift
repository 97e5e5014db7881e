internal import SettledPatterns
internal import SettledValues
internal import SettledYAML

/// Values and types as messages show them.
extension ViolationText {
  /// A value in few words; nothing of a secret's text.
  func shown(_ node: Tree.Node) -> String {
    let type = tree.type(of: node)
    if type == .map { return "a map" }
    if type == .list { return "a list" }
    if isSecret(node) { return "what it is" }
    switch type {
    case .null: return "null"
    case .bool: return tree.bool(of: node) ? "true" : "false"
    case .string:
      let text = String(decoding: tree.text(of: node), as: UTF8.self)
      return text.isEmpty ? "empty text" : "'\(Self.shortened(text))'"
    default: return Self.text(tree.number(of: node))
    }
  }

  func length(_ node: Tree.Node) -> String {
    guard !isSecret(node) else { return "what it has" }
    return "\(tree.text(of: node).reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) })"
  }

  static func shortened(_ text: String) -> String {
    let start = String(text.unicodeScalars.prefix(40))
    return start.utf8.count < text.utf8.count ? start + "…" : text
  }

  static func text(_ number: JSONNumber?) -> String {
    switch number {
    case .int(let value): "\(value)"
    case .uint(let value): "\(value)"
    case .double(let value): "\(value)"
    case nil: "?"
    }
  }

  static func counted(_ count: Int, _ thing: String) -> String {
    "\(count) \(thing)\(count == 1 ? "" : "s")"
  }

  /// Types in words: `an integer or a string`.
  static func words(_ types: JSONTypes) -> String {
    var words: [String] = []
    let names: [(JSONTypes, String)] = [
      (.map, "a map"), (.list, "a list"), (.string, "a string"), (.number, "a number"),
      (.integer, "an integer"), (.bool, "true or false"), (.null, "null"),
    ]
    var rest = types
    for (type, word) in names where rest.isSuperset(of: type) {
      words.append(word)
      rest.subtract(type)
    }
    guard words.count > 1, let last = words.last else { return words.first ?? "nothing" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  func constant(_ node: SchemaNode) -> String {
    constant(schema.tables.constants[Int(node.constants)].constant)
  }

  func pattern(_ node: SchemaNode) -> String {
    "'\(schema.tables.patterns[Int(schema.tables.texts[Int(node.text)].pattern)].source)'"
  }

  /// A keyword's value as the schema writes it.
  func written(_ keyword: String, _ node: SchemaNode) -> String {
    schema.document.node(node.entry)[keyword]?.text ?? "?"
  }

  func choices(_ node: SchemaNode) -> String {
    let choices = schema.tables.references[
      schema.tables.constants[Int(node.constants)].choices.indices]
    let shown = choices.prefix(12).map(constant).joined(separator: ", ")
    if choices.count == 1 { return shown }
    return "one of \(shown)\(choices.count > 12 ? ", …" : "")"
  }

  func textChoices(_ schema: Int32) -> [String] {
    let tables = self.schema.tables
    let rules = tables.constants[Int(tables.nodes[Int(schema)].constants)]
    guard rules.choices.count <= 1000 else { return [] }
    return tables.values.withInstances { values in
      tables.references[rules.choices.indices].map(UInt32.init).filter {
        values.type(of: $0) == .string
      }.map { String(decoding: values.text(of: $0), as: UTF8.self) }
    }
  }

  private func constant(_ number: Int32) -> String {
    schema.tables.values.withInstances { values in
      ViolationText<ValueInstances>(schema: schema, tree: values, isSecret: { _ in false })
        .shown(UInt32(number))
    }
  }
}

extension Schema {
  /// What a validator found, in words.
  func violations<Tree: Instances>(
    of validator: Validator<Tree>, isSecret: @escaping (Tree.Node) -> Bool
  ) -> [Violation] {
    let text = ViolationText(schema: self, tree: validator.tree, isSecret: isSecret)
    var violations = validator.violations.map { found in
      Violation(
        path: found.path, message: text.message(found), hint: text.hint(found),
        schemaPlace: document.place(tables.nodes[Int(found.schema)].entry),
        isOfType: found.rule.isOfType, isOfKey: found.rule.isOfKey)
    }
    if let name = validator.exceeded, name != "pattern" {
      let limit = name == "schema.steps" ? limits.steps : limits.depth
      violations.append(
        Violation(
          path: Path(),
          message: "validating the settings takes too much work: the limit '\(name)' is \(limit)",
          hint: "look for 'anyOf' or 'allOf' nested in each other, or raise the limit",
          schemaPlace: document.place(tables.nodes[Int(tables.root)].entry)))
    }
    return violations
  }
}
