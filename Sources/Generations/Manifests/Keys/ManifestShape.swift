import SettledObserving
import SettledSettings
import SettledValues

/// What may be written at a place of the manifest.
public struct ManifestShape: Sendable {
  /// How it is written, in capitals what stands for something: `[PROGRAM, ARGUMENT, ...]`.
  public var form: String
  /// The map that it is, or whose entries or elements it holds.
  public var section: ManifestSection?
  /// Its JSON Schema.
  var schema: ValueMap

  init(form: String, section: ManifestSection? = nil, _ schema: ValueMap) {
    self.form = form
    self.section = section
    self.schema = schema
  }

  /// Takes what a schema describes, a map under a title.
  init(_ title: String, _ schema: ValueMap) {
    self.schema = schema
    let forms = schema["anyOf"]?.elements ?? [.map(schema)]
    form = forms.compactMap(Self.form).joined(separator: " | ")
    if schema["type"] == "object" { section = ManifestSection(title, schema) }
  }

  private static func form(_ schema: Value) -> String? {
    guard case .map(let schema) = schema, schema["type"] != "null" else { return nil }
    if let words = schema["enum"]?.elements {
      return words.compactMap(\.text).joined(separator: " | ")
    }
    if let example = schema["examples"]?.elements?.first?.text { return example }
    return schema["type"] == "object" ? "{KEY: ...}" : "NUMBER"
  }
}

extension ManifestShape {
  /// Text; numbers and truth values are taken as they are written.
  static func text(_ form: String, _ examples: Value...) -> ManifestShape {
    var schema: ValueMap = ["type": "string", "minLength": 1]
    if !examples.isEmpty { schema["examples"] = .list(examples) }
    return ManifestShape(form: form, schema)
  }

  /// An expression, or something else that a scalar of any type may be.
  static func scalar(_ form: String, mayBeEmpty: Bool = false) -> ManifestShape {
    var schema: ValueMap = ["type": ["string", "number", "boolean"]]
    if !mayBeEmpty { schema["minLength"] = 1 }
    return ManifestShape(form: form, schema)
  }

  /// An expression.
  static let expression = scalar("EXPRESSION")

  /// A truth value.
  static let flag = ManifestShape(form: "true | false", ["type": "boolean"])

  /// One of some words.
  static func words<Word: RawRepresentable<String> & CaseIterable>(
    _ type: Word.Type
  ) -> ManifestShape {
    let words = Word.allCases.map(\.rawValue)
    return ManifestShape(
      form: words.joined(separator: " | "), ["enum": .list(words.map { .string($0) })])
  }

  /// A whole number within limits.
  static func integer(from least: Int64, to greatest: Int64? = nil) -> ManifestShape {
    var schema: ValueMap = ["type": "integer", "minimum": .int(least)]
    if let greatest { schema["maximum"] = .int(greatest) }
    return ManifestShape(form: "NUMBER", schema)
  }

  /// A span of time.
  @ObservingActor static let duration = ManifestShape(form: "10s", Duration.schema)

  /// Permission bits, as chmod(1) takes them.
  static let mode = ManifestShape(
    form: "\"0644\"",
    ["type": "string", "pattern": "^0o?[0-7]{1,4}$", "examples": ["0644", "0600"]])

  /// A program and its arguments, which no shell sees.
  static let command = ManifestShape(
    form: "[PROGRAM, ARGUMENT, ...]",
    [
      "type": "array", "minItems": 1, "prefixItems": [.map(scalar("PROGRAM").schema)],
      "items": .map(scalar("ARGUMENT", mayBeEmpty: true).schema),
      "examples": [["nginx", "-t"], ["sh", "-c", "LINE"]],
    ])

  /// A list.
  static func list(of element: ManifestShape, example: Value) -> ManifestShape {
    ManifestShape(
      form: "[\(element.form), ...]", section: element.section,
      ["type": "array", "items": .map(element.schema), "examples": [example]])
  }

  /// A map with names of one's own.
  static func entries(of entry: ManifestShape, names: String) -> ManifestShape {
    ManifestShape(
      form: "{NAME: \(entry.form), ...}", section: entry.section,
      [
        "type": "object", "propertyNames": ["pattern": .string(names)],
        "additionalProperties": .map(entry.schema),
      ])
  }

  /// A map.
  static func map(_ section: ManifestSection) -> ManifestShape {
    ManifestShape(form: "{KEY: ...}", section: section, section.schema)
  }

  /// Text, or a map for who has more to say.
  static func text(_ form: String, or section: ManifestSection) -> ManifestShape {
    var schema = section.schema
    schema["type"] = ["string", "object"]
    schema["minLength"] = 1
    return ManifestShape(form: "\(form) | {KEY: ...}", section: section, schema)
  }
}

extension Value {
  fileprivate var elements: [Value]? {
    if case .list(let elements) = self { elements } else { nil }
  }
}
