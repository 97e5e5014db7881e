internal import SettledObserving
public import SettledValues

extension SettingsDeclaring {
  /// The JSON Schema 2020-12 of a map that the settings are read from.
  @ObservingActor
  public static var schema: ValueMap {
    let declaration = Declaration.of(Self.self)
    return declaration.schema(defaults: declaration.defaults)
  }

  /// The schema as a file that an editor reads.
  @ObservingActor
  public static func schemaFile() -> String {
    var document: ValueMap = ["$schema": "https://json-schema.org/draft/2020-12/schema"]
    let schema = schema
    for key in schema.keys { document[key] = schema[key] }
    // A schema holds what JSON can say, and nothing else.
    return ((try? Format.json.write(.map(document))) ?? []).text
  }

  /// A YAML file with every setting at its default, below what it is for.
  @ObservingActor
  public static func reference() -> String {
    let declaration = Declaration.of(Self.self)
    return declaration.reference(defaults: declaration.defaults, indent: 0)
  }
}

extension Declaration {
  /// The schema of the map, with the defaults that `defaults` has.
  func schema(defaults: Owner) -> ValueMap {
    var properties = ValueMap()
    for setting in settings {
      var schema = setting.schema(defaults)
      if let description = setting.description { schema["description"] = .string(description) }
      if setting.isSecret { schema["writeOnly"] = true }
      properties[.string(setting.name)] = .map(schema)
    }
    var schema: ValueMap = ["type": "object", "properties": .map(properties)]
    let required = settings.filter(\.isRequired).map { Value.string($0.name) }
    if !required.isEmpty { schema["required"] = .list(required) }
    if !Owner.ignoresUnknownSettings { schema["additionalProperties"] = false }
    return schema
  }

  /// The lines of a commented file.
  func reference(defaults: Owner, indent: Int) -> String {
    settings.map { setting in
      var lines = (setting.description ?? "").split(separator: "\n").map { "# " + $0 }
      if let nested = setting.nestedReference {
        return Self.indented(lines + [setting.name + ":"], indent)
          + nested(defaults, indent + 2)
      }
      lines += setting.line(defaults)
      return Self.indented(lines, indent)
    }.joined(separator: indent == 0 ? "\n" : "")
  }

  private static func indented(_ lines: [String], _ indent: Int) -> String {
    lines.map { String(repeating: " ", count: indent) + $0 + "\n" }.joined()
  }
}

extension Setting {
  /// What it is for, and the limits where the schema has no keyword for them.
  var description: String? {
    guard let limits else { return doc.isEmpty ? nil : doc }
    return doc.isEmpty ? limits : "\(doc), \(limits)"
  }

  /// The lines that set it to its default; commented out where it has none that may be shown.
  func line(_ defaults: Owner) -> [String] {
    let value = written(defaults)
    guard !isRequired, !isSecret, value != .null, value != [:],
      let bytes = try? Format.yaml.write(.map([.string(name): value]))
    else { return ["# \(name):"] }
    return bytes.text.split(separator: "\n").map(String.init)
  }
}

extension [UInt8] {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
