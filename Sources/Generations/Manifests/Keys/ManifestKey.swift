public import SettledValues

/// A key of the manifest: what may be written there, and what it is for.
///
/// The table of all keys, ``ManifestSection/all``, makes the schema that the manifest is held against and
/// that editors read, and the reference that people read.
public struct ManifestKey: Sendable {
  /// Its name.
  public var name: String
  /// What may be written.
  public var shape: ManifestShape
  /// What it is for, in lower case and without a full stop.
  public var doc: String
  /// What holds where it is not written; nil for nothing, and where the documentation says it.
  public var standard: Value?
  /// Whether it must be written.
  public var isRequired: Bool

  init(
    _ name: String, _ shape: ManifestShape, standard: Value? = nil, isRequired: Bool = false,
    _ doc: String
  ) {
    self.name = name
    self.shape = shape
    self.standard = standard
    self.isRequired = isRequired
    self.doc = doc
  }

  /// The key with what is said of it beside it.
  var schema: ValueMap {
    var schema = shape.schema
    schema["description"] = .string(doc)
    if let standard { schema["default"] = standard }
    return schema
  }
}

/// A map of the manifest, of which only known keys are taken.
public struct ManifestSection: Sendable {
  /// What it is: `a target`.
  public var title: String
  /// Its keys, in the order that documents show them.
  public var keys: [ManifestKey]

  init(_ title: String, _ keys: [ManifestKey]) {
    self.title = title
    self.keys = keys
  }

  /// Takes the keys of a map that a schema describes.
  init(_ title: String, _ schema: ValueMap) {
    self.title = title
    guard case .map(let properties)? = schema["properties"] else {
      keys = []
      return
    }
    keys = properties.keys.compactMap { name in
      guard let name = name.text, case .map(let schema)? = properties[.string(name)] else {
        return nil
      }
      return ManifestKey(
        name, ManifestShape("'\(name)'", schema), standard: schema["default"],
        schema["description"]?.text ?? "")
    }
  }

  /// The schema of the map.
  var schema: ValueMap {
    var schema: ValueMap = [
      "type": "object",
      "properties": .map(ValueMap(keys.map { (key: .string($0.name), value: .map($0.schema)) })),
      "additionalProperties": false,
    ]
    let required = keys.filter(\.isRequired).map { Value.string($0.name) }
    if !required.isEmpty { schema["required"] = .list(required) }
    return schema
  }
}
