import SettledObserving
import SettledSettings
public import SettledValues
package import SettledYAML

/// The JSON Schema 2020-12 of the manifest, made from the table of its keys.
public enum ManifestSchema {
  /// The schema, for editors and other programs.
  public static var value: Value {
    ObservingActor.sync {
      var document: ValueMap = [
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "settled.yaml",
        "description": "the manifest of settled: settled.yaml(5)",
      ]
      let schema = ManifestSection.manifest.schema
      for key in schema.keys { document[key] = schema[key] }
      return .map(document)
    }
  }

  /// All that a manifest does not keep of the schema, each at its place.
  package static func faults(in document: YAMLDocument) -> [Diagnostic] {
    ObservingActor.sync { Settings(unchecked: Layer(document)).faults(against: compiled) }
  }

  @ObservingActor private static let compiled: Schema = {
    do {
      let text = try Format.json.write(value)
      let limits = YAMLLimits(depth: 1000)
      let document = try YAMLDocument.read(text, file: "settled.schema.json", limits: limits)
      return try Schema(document, of: SchemaSubject("the manifest", has: "has", needs: "needs"))
    } catch {
      fatalError("the schema of the manifest is none: \(error)")
    }
  }()
}
