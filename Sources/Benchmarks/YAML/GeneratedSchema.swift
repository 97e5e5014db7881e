import SettledSettings
import SettledValues
import SettledYAML

extension GeneratedSettings {
  /// What holds of the files.
  static func schema() throws(Refusal) -> Schema {
    let kinds = [
      ("max_size", "{type: integer, minimum: 0, maximum: 100000}"), ("enabled", "{type: boolean}"),
      ("ratio", "{type: number, maximum: 100}"), ("name", "{type: string, maxLength: 40}"),
      ("path", "{type: string, minLength: 1}"),
      ("tags", "{type: array, maxItems: 8, items: {type: string}}"),
    ]
    var text = beginning
    for (name, rule) in kinds {
      for key in 0..<5 { text += "        \(name)_\(key): \(rule)\n" }
    }
    return try Schema(try YAMLDocument.read(Array(text.utf8), file: "schema.yaml"))
  }

  private static let beginning = """
    type: object
    additionalProperties: {$ref: "#/$defs/region"}
    $defs:
      region: {type: object, additionalProperties: {$ref: "#/$defs/service"}}
      service:
        type: object
        additionalProperties: false
        properties:
          http: {$ref: "#/$defs/part"}
          database: {$ref: "#/$defs/part"}
          cache: {$ref: "#/$defs/part"}
          queue: {$ref: "#/$defs/part"}
      part:
        type: object
        required: [limits]
        properties: {limits: {$ref: "#/$defs/group"}, names: {$ref: "#/$defs/group"}}
      group:
        type: object
        additionalProperties: false
        properties:

    """
}
