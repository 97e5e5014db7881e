import Generations
import Glibc
import SettledInputs
import SettledSettings
import SettledValues
import SettledYAML
import Targets
import TestSupport
import Testing

@Suite struct ManifestSchemaTests {
  private static let repository = FilePaths.directory(
    of: FilePaths.directory(of: FilePaths.directory(of: #filePath)))

  private func text(_ file: String) throws -> [UInt8] {
    try #require(try AtomicFile.read(Self.repository + "/" + file, limit: 1 << 20))
  }

  private func document(_ text: [UInt8]) throws -> YAMLDocument {
    try YAMLDocument.read(text, file: "settled.yaml")
  }

  /// The schema as another program reads it.
  private func schema() throws -> Schema {
    try Schema(document(Format.json.write(ManifestSchema.value)))
  }

  @Test func `the printed schema is a schema, and has no keyword that does nothing`() throws {
    #expect(try schema().warnings.map(\.description) == [])
  }

  @Test(arguments: ["config/settled.yaml", "packaging/etc/settled.yaml"])
  func `manifests that are shipped keep the printed schema`(file: String) throws {
    let settings = try Settings([Layer(document(text(file)))])
    #expect(try schema().accepts(settings))
    #expect(ManifestSchema.faults(in: try document(text(file))).map(\.description) == [])
  }

  @Test func `the shipped schema is the one that is printed`() throws {
    let printed = try Format.json.write(ManifestSchema.value)
    let path = Self.repository + "/config/settled.schema.json"
    if getenv("SETTLED_BLESS") != nil {
      try AtomicFile.write(printed, to: path)
      #expect(chmod(path, 0o644) == 0)
    }
    #expect(try AtomicFile.read(path, limit: 1 << 20) == printed)
  }

  /// A manifest in which a map has a key that it does not know, for each map there is.
  private static let unknownKeys: [(section: String, manifest: String, fault: String)] = [
    ("the manifest", "{layers: [], x: 1}", "1:14: error: the manifest has no key 'x'"),
    ("a layer", "layers: [{x: 1}]", "1:11: error: 'layers[0]' has no key 'x'"),
    ("a secret", "layers: [{secret: {x: 1}}]", "1:20: error: 'layers[0].secret' has no key 'x'"),
    ("'schema'", "{layers: [], schema: {file: s, x: 1}}", "1:32: error: 'schema' has no key 'x'"),
    ("a target", "{layers: [], targets: {a: {x: 1}}}", "1:28: error: 'targets.a' has no key 'x'"),
    (
      "'signal'", "{layers: [], targets: {a: {signal: {unit: u, name: n, x: 1}}}}",
      "1:55: error: 'targets.a.signal' has no key 'x'"
    ),
    ("'daemon'", "{layers: [], daemon: {x: 1}}", "1:23: error: 'daemon' has no key 'x'"),
    (
      "'limits'", "{layers: [], daemon: {limits: {x: 1}}}",
      "1:32: error: 'daemon.limits' has no key 'x'"
    ),
  ]

  @Test func `every map of the manifest refuses keys that it does not know, in one wording`() throws
  {
    #expect(Self.unknownKeys.map(\.section) == ManifestSection.all.map(\.title))
    for (_, manifest, fault) in Self.unknownKeys {
      let document = try document(Array(manifest.utf8))
      #expect(
        ManifestSchema.faults(in: document).map(\.summary) == ["settled.yaml:" + fault])
      let refusal = #expect(throws: Refusal.self) {
        try ManifestReader.read(document, path: "/settled.yaml")
      }
      #expect(refusal?.diagnostics.map(\.summary).contains("settled.yaml:" + fault) == true)
    }
  }

  @Test func `a key that is null is not set, and one without a value is refused`() throws {
    let document = try document(
      Array("layers: []\nschema: null\ntargets: {a: {file: /a, content: x, mode: ~}}\n".utf8))
    let manifest = try ManifestReader.read(document, path: "/settled.yaml")
    #expect(manifest.schema == nil)
    #expect(manifest.targets.first?.file?.mode == nil)
    let empty = try self.document(Array("layers: []\ntargets:\n".utf8))
    let refusal = #expect(throws: Refusal.self) {
      try ManifestReader.read(empty, path: "/settled.yaml")
    }
    #expect(
      refusal?.diagnostics.map(\.summary) == [
        "settled.yaml:2:1: error: no value for 'targets'; write null to unset"
      ])
  }

  @Test func `the reference and README tell of every key`() throws {
    let reference = ManifestSection.reference
    #expect(
      reference.contains(
        """
          drift: report | repair
              what is done about a file edited by hand: told, or put back (default
              report)

        """))
    let readme = String(decoding: try text("README.md"), as: UTF8.self)
    for section in ManifestSection.all {
      for key in section.keys {
        #expect(!key.doc.isEmpty)
        #expect(reference.contains("  \(key.name): \(key.shape.form)\n"))
        let isInner = ["'limits'", "'signal'"].contains(section.title)
        #expect(isInner || readme.contains("`\(key.name)`") || readme.contains("\(key.name):"))
      }
    }
  }
}
