import Glibc
import SettledSettings
import SettledValues
import SettledYAML

/// Prints how many times a second settings are held against a schema, and what that costs for a large
/// file, as multiples of libyaml's bare events over it.
///
/// The schema and the settings are those that packaging/bench/schema-peers.py gives to other
/// implementations.
func printSchemaTable(folder: String, leaves: Int) throws {
  let schema = try Schema(try document(folder + "/settings.schema.json"))
  let settings = try Settings([Layer(try document(folder + "/settings.json"))])
  guard let value = settings.value(), schema.accepts(settings), schema.accepts(value) else {
    throw SchemaFault("the settings are not accepted")
  }
  print("| a document of 700 bytes | times a second |")
  print("|---|---:|")
  let turns = 50_000
  let validated = nanoseconds(count: turns) {
    for _ in 0..<turns { precondition(schema.accepts(settings)) }
  }
  print("| validated as merged settings | \(Int(1e9 / validated)) |")
  let plain = nanoseconds(count: turns) {
    for _ in 0..<turns { precondition(schema.accepts(value)) }
  }
  print("| validated as a plain value | \(Int(1e9 / plain)) |")
  let conformed = nanoseconds(count: turns) {
    for _ in 0..<turns { precondition((try? settings.conforming(to: schema)) != nil) }
  }
  print("| with defaults, secrets, deprecations | \(Int(1e9 / conformed)) |")
  let compiled = nanoseconds(count: 500) {
    for _ in 0..<500 { precondition((try? Schema(schema.document)) != nil) }
  }
  print("| the schema compiled | \(Int(1e9 / compiled)) |")
  try printLargeFile(leaves: leaves)
}

private func printLargeFile(leaves: Int) throws {
  let file = GeneratedSettings.file(leaves: leaves)
  let limits = YAMLLimits(fileSize: 1 << 30)
  let document = try YAMLDocument.read(file, file: "in.yaml", limits: limits)
  let settings = try Settings([Layer(document)])
  let schema = try GeneratedSettings.schema()
  var (bare, validated, conformed): ([Double], [Double], [Double]) = ([], [], [])
  for _ in 0..<9 {
    bare.append(nanoseconds(count: 1, repeats: 1) { _ = BareEvents.count(in: file) })
    validated.append(
      nanoseconds(count: 1, repeats: 1) { precondition(schema.accepts(settings)) })
    conformed.append(
      nanoseconds(count: 1, repeats: 1) {
        precondition((try? settings.conforming(to: schema)) != nil)
      })
  }
  func ratio(_ times: [Double]) -> String {
    rounded(times.sorted()[4] / bare.sorted()[4])
  }
  print("")
  print("| \(leaves) leaves, by a bare libyaml event loop | median of 9 |")
  print("|---|---:|")
  print("| validated | \(ratio(validated)) |")
  print("| with defaults, secrets, deprecations | \(ratio(conformed)) |")
}

private func document(_ path: String) throws -> YAMLDocument {
  guard let bytes = readFile(path) else { throw SchemaFault("cannot read \(path)") }
  return try YAMLDocument.read(bytes, file: path)
}

private func readFile(_ path: String) -> [UInt8]? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  let count = fread(&bytes, 1, bytes.count, file)
  return Array(bytes[..<count])
}

private struct SchemaFault: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
