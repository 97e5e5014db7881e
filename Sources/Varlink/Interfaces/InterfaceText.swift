extension Interface: CustomStringConvertible {
  /// The description in Varlink's interface definition language.
  public var description: String {
    var blocks = [Self.comment(documentation) + "interface \(name)"]
    blocks += types.map {
      Self.comment($0.documentation) + "type \($0.name) \($0.type.text(indent: 0))"
    }
    blocks += methods.map {
      let input = FieldType.structure($0.input).text(indent: 0)
      let output = FieldType.structure($0.output).text(indent: 0)
      return Self.comment($0.documentation) + "method \($0.name)\(input) -> \(output)"
    }
    blocks += errors.map {
      let fields = FieldType.structure($0.fields).text(indent: 0)
      return Self.comment($0.documentation) + "error \($0.name) \(fields)"
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private static func comment(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: true).map { "# \($0)\n" }.joined()
  }
}

extension FieldType {
  /// The type as a description spells it; structures of more than two fields take a line a field.
  func text(indent: Int) -> String {
    switch self {
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .string: "string"
    case .object: "object"
    case .named(let name): name
    case .enumeration(let names): "(\(names.joined(separator: ", ")))"
    case .optional(let type): "?" + type.text(indent: indent)
    case .array(let type): "[]" + type.text(indent: indent)
    case .dictionary(let type): "[string]" + type.text(indent: indent)
    case .structure(let fields): Self.text(of: fields, indent: indent)
    }
  }

  private static func text(of fields: [Field], indent: Int) -> String {
    guard fields.count > 2 else {
      let texts = fields.map { "\($0.name): \($0.type.text(indent: indent))" }
      return "(\(texts.joined(separator: ", ")))"
    }
    let margin = String(repeating: " ", count: indent)
    let lines = fields.map { "\(margin)  \($0.name): \($0.type.text(indent: indent + 2))" }
    return "(\n\(lines.joined(separator: ",\n"))\n\(margin))"
  }
}
