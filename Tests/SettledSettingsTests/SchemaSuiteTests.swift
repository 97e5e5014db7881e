import SettledSettings
import SettledValues
import SettledYAML
import TestSupport
import Testing

/// The tests of json-schema-org/JSON-Schema-Test-Suite, but those that need other documents.
@Suite struct SchemaSuiteTests {
  static let folder = "json-schema/draft2020-12"
  /// What a group may need beyond plain keywords; other needs are of what is not built: documents
  /// elsewhere, `$id` as a base, dynamic references, vocabularies, the schema of schemas.
  static let known: Set<String> = [
    "unevaluated", "format", "content", "unicode-regex", "$anchor",
  ]

  @Test(arguments: Suites.files(in: folder, ending: ".json"))
  func `every case of the required files has its verdict`(file: String) throws {
    let schemas = try Self.run(file) { $0.assertsFormats = false }
    #expect(schemas == [])
  }

  @Test(arguments: [
    "date-time", "date", "time", "duration", "ipv4", "ipv6", "hostname", "email", "uri",
    "uri-reference", "uuid", "regex", "json-pointer", "unknown",
  ])
  func `every case of an asserted format has its verdict`(format: String) throws {
    #expect(try Self.run(Self.folder + "/optional/format/\(format).json") { _ in } == [])
  }

  @Test(arguments: [
    "bignum", "float-overflow", "non-bmp-regex", "ecmascript-regex", "no-schema", "unknownKeyword",
    "dependencies-compatibility", "refOfUnknownKeyword", "anchor",
  ])
  func `every case of an optional file has its verdict`(name: String) throws {
    #expect(
      try Self.run(Self.folder + "/optional/\(name).json") { $0.assertsFormats = false } == [])
  }

  /// Runs the cases of a file, prints how many pass, and tells what is wrong with the others.
  private static func run(
    _ file: String, _ edit: (inout SchemaLimits) -> Void
  ) throws -> [String] {
    guard let bytes = Suites.bytes(of: file), case .list(let groups) = try JSON.read(bytes) else {
      return []
    }
    var limits = SchemaLimits()
    edit(&limits)
    let index = try needs(file)
    var (faults, total, left): ([String], Int, Int) = ([], 0, 0)
    for group in groups {
      guard case .list(let cases)? = group["tests"] else { continue }
      if let others = index[group["description"] ?? .null], !others.isSubset(of: known) {
        left += cases.count
        continue
      }
      total += cases.count
      faults += Self.faults(group, cases, limits)
    }
    print("\(file): \(total - faults.count)/\(total)\(left > 0 ? ", \(left) left out" : "")")
    return faults
  }

  private static func faults(_ group: Value, _ cases: [Value], _ limits: SchemaLimits) -> [String] {
    let label = "\(group["description"] ?? .null)"
    do {
      let text = try JSON.text(["schema": group["schema"] ?? .null])
      let document = try YAMLDocument.read(Array(text.utf8), file: "schema.json")
      guard let node = document.root?["schema"] else { return ["\(label): no schema"] }
      let schema = try Schema(node, limits: limits)
      return cases.filter { schema.accepts($0["data"] ?? .null) != ($0["valid"] == true) }.map {
        "\(label): \($0["description"] ?? .null)"
      }
    } catch {
      return cases.map { _ in "\(label): \((error as? Refusal)?.text ?? "\(error)")" }
    }
  }

  /// What the groups of a file need, by their descriptions.
  private static func needs(_ file: String) throws -> [Value: Set<String>] {
    guard let bytes = Suites.bytes(of: "json-schema/index.json") else { return [:] }
    var name = file.dropFirst(folder.count + 1)
    name = name.dropLast(".json".count)
    guard case .list(let groups)? = try JSON.read(bytes)[String(name)] else { return [:] }
    return groups.reduce(into: [:]) { needs, group in
      guard case .list(let list)? = group["needs"], let key = group["description"] else { return }
      needs[key] = Set(list.map { if case .string(let name) = $0 { name } else { "" } })
    }
  }
}
