import SettledValues
import SettledYAML

/// What becomes of a small file, in one line.
enum Verdict {
  /// What it is read as, then all findings; where it is refused, the findings.
  static func text(_ bytes: [UInt8]) -> String {
    do {
      let document = try YAMLDocument.read(bytes, file: "")
      let value = document.root.map { $0.value() }
      let text = value.map { (try? JSON.text($0)) ?? yaml($0) } ?? "nothing"
      let findings = document.warnings + document.missingValues() + document.oddities()
      return ([String(text.prefix(120))] + findings.map(summary)).joined(separator: " | ")
    } catch {
      return error.diagnostics.map(summary).joined(separator: " | ")
    }
  }

  /// A finding in a few words.
  static func summary(_ diagnostic: Diagnostic) -> String {
    let place = diagnostic.place.map { "\($0.line):\($0.column)" } ?? "-"
    return "\(place) \(diagnostic.severity) \(diagnostic.message)"
  }

  /// The value as YAML in one line, for what JSON does not have: `.inf`, `.nan`.
  private static func yaml(_ value: Value) -> String {
    let bytes = (try? Format.yaml.write(value)) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").joined(separator: " / ")
  }
}
