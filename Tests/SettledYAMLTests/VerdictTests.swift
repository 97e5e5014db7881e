import SettledValues
import SettledYAML
import TestSupport
import Testing

/// What is made of each small input of the suites: by the tables of YAML 1.1 and 1.2 for scalars,
/// keys, tags, documents and encodings, and by what users reported.
///
/// `Verdicts` has one line an input: its name, what it is read as, then all findings.
struct VerdictTests {
  private static let folder = Suites.packageRoot + "/Tests/SettledYAMLTests/Verdicts"

  @Test(arguments: ["probes", "public-cases"])
  func `each input has the verdict that the tables give it`(_ name: String) throws {
    let cases = try Case.all(of: "yaml/\(name).jsonl")
    guard !cases.isEmpty else { return }
    let verdicts = cases.map { "\($0.name): \(verdict($0.yaml))" }
    let file = Self.folder + "/\(name).txt"
    if environment("SETTLED_GOLDEN") == "write" {
      try writeFile(Array(verdicts.map { $0 + "\n" }.joined().utf8), to: file)
    }
    let expected = String(decoding: readFile(file) ?? [], as: UTF8.self)
      .split(separator: "\n").map(String.init)
    let known = Set(expected.map { $0.prefix { $0 != ":" } })
    let passed = verdicts.filter { verdict in
      let isKnown = known.contains(verdict.prefix { $0 != ":" })
      #expect(!isKnown || expected.contains(verdict))
      return expected.contains(verdict)
    }
    print("yaml/\(name).jsonl: \(passed.count)/\(cases.count)")
  }

  private func verdict(_ bytes: [UInt8]) -> String {
    do {
      let document = try YAMLDocument.read(bytes, file: "")
      let value = document.root.map { $0.value() }
      let text = value.map { (try? JSON.text($0)) ?? Self.yaml($0) } ?? "nothing"
      let findings = document.warnings + document.missingValues() + document.oddities()
      return ([String(text.prefix(120))] + findings.map(summary)).joined(separator: " | ")
    } catch {
      return error.diagnostics.map(summary).joined(separator: " | ")
    }
  }

  /// The value as YAML in one line, for what JSON does not have: `.inf`, `.nan`.
  private static func yaml(_ value: Value) -> String {
    let bytes = (try? Format.yaml.write(value)) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").joined(separator: " / ")
  }

  private func summary(_ diagnostic: Diagnostic) -> String {
    let place = diagnostic.place.map { "\($0.line):\($0.column)" } ?? "-"
    return "\(place) \(diagnostic.severity) \(diagnostic.message)"
  }
}
