import SettledSettings
import SettledValues
import SettledYAML
import TestSupport
import Testing

struct MergeTests {
  @Test func `a later layer wins key by key`() throws {
    let settings = try merged("a: 1\nb: {x: 1, y: 2}", "b: {y: 3, z: 4}\nc: 5")
    #expect(settings.value() == ["a": 1, "b": ["x": 1, "y": 3, "z": 4], "c": 5])
    #expect(settings.keys(at: Path([.key("b")])) == ["x", "y", "z"])
  }

  @Test func `lists are replaced whole`() throws {
    let settings = try merged("a: [1, 2, 3]", "a: [4]")
    #expect(settings.value() == ["a": [4]])
  }

  @Test(arguments: [
    ("a: {x: 1}", "a: 2", Value.map([("a", 2)])),
    ("a: 2", "a: {x: 1}", Value.map([("a", ["x": 1])])),
    ("a: [1]", "a: {x: 1}", Value.map([("a", ["x": 1])])),
  ])
  func `another shape replaces what was there`(
    _ lower: String, _ upper: String, _ expected: Value
  ) throws {
    #expect(try merged(lower, upper).value() == expected)
  }

  @Test func `a written null unsets what lower layers say`() throws {
    let settings = try merged("a: {x: 1, y: 2}\nb: 1", "a: {x: ~}\nb: null", "b: {z: 1}")
    #expect(settings.value() == ["a": ["y": 2], "b": ["z": 1]])
    #expect(settings.count(at: Path([.key("a")])) == 1)
    #expect(try merged("a: {x: null, l: [null, {y: ~}]}").value() == ["a": ["l": [nil, [:]]]])
  }

  @Test func `a key with nothing after it is refused, in every layer`() throws {
    let refusal = try #require(throws: Refusal.self) { try merged("a:\nb: 1", "c: [1, ]\nd:") }
    #expect(
      refusal.diagnostics.map(\.summary) == [
        "0.yaml:1:1: error: no value for 'a'; write null to unset",
        "1.yaml:2:1: error: no value for 'd'; write null to unset",
      ])
  }

  @Test func `a layer can be mounted at a path`() throws {
    let secret = YAMLDocument(
      scalar: Array("12345".utf8), isPlain: false, file: "credential db", isSecret: true)
    let port = YAMLDocument(scalar: Array("8081".utf8), isPlain: true, file: "SHOP_PORT")
    let settings = try Settings([
      Layer(try document("db: {user: shop}")), Layer(secret, at: ["db", "password"]),
      Layer(port, at: ["http", "port"]),
    ])
    #expect(
      settings.value() == [
        "db": ["user": "shop", "password": "12345"], "http": ["port": 8081],
      ])
    #expect(settings.isSecret(at: Path([.key("db"), .key("password")])))
    #expect(settings.isSecret(at: Path([.key("db")])))
    #expect(!settings.isSecret(at: Path([.key("db"), .key("user")])))
    #expect(settings.place(at: Path([.key("http"), .key("port")]))?.description == "SHOP_PORT")
  }

  @Test func `keys are compared by bytes, also across layers`() throws {
    let settings = try merged("caf\u{E9}: 1", "cafe\u{301}: 2")
    #expect(settings.count() == 2)
    #expect(settings.value(at: Path([.key("caf\u{E9}")])) == 1)
    #expect(settings.value(at: Path([.key("cafe\u{301}")])) == 2)
  }

  @Test func `a layer without content is empty, one that says so is not`() throws {
    #expect(try ["", "# x\n", "---\n", "\n"].allSatisfy { Layer(try document($0)).isEmpty })
    #expect(!Layer(try document("{}")).isEmpty)
    #expect(try Settings([Layer(try document(""))]).value() == nil)
  }

  @Test func `where a value comes from is told with all it overrides`() throws {
    let settings = try merged("a:\n  p: 1\n", "a: {p: 2, q: 3}", "a: {p: ~}", "a:\n  p: 4\n")
    let origin = try #require(settings.origin(at: Path([.key("a"), .key("p")])))
    #expect(origin.winner.place.description == "3.yaml:2:6")
    #expect(
      origin.overridden.map { "\($0.place) \($0.value.map { "\($0)" } ?? "-")" } == [
        "2.yaml:1:8 -", "1.yaml:1:8 int(2)", "0.yaml:2:6 int(1)",
      ])
    #expect(settings.origin(at: Path([.key("a")]))?.winner.rank == 3)
    #expect(settings.origin(at: Path([.key("b")])) == nil)
  }

  @Test func `what unsets or replaces a path from above is told as well`() throws {
    let settings = try merged("a: {p: 1}", "a: null", "a: 5", "a: {q: 2}")
    let mentions = settings.explain(Path([.key("a"), .key("p")]))
    #expect(
      mentions.map { "\($0.path) \($0.place) \($0.value.map { "\($0)" } ?? "-")" } == [
        "a 2.yaml:1:4 int(5)", "a 1.yaml:1:4 -", "a.p 0.yaml:1:8 int(1)",
      ])
    #expect(settings.origin(at: Path([.key("a"), .key("p")])) == nil)
  }

  @Test func `a fault at a setting shows its line and what it overrides`() throws {
    let settings = try merged("http:\n  port: 80\n", "http:\n  port: 70000\n")
    let path = Path([.key("http"), .key("port")])
    let fault = settings.fault("'http.port' must be at most 65535, not 70000", at: path)
    #expect(
      fault.description == """
        1.yaml:2:9: error: 'http.port' must be at most 65535, not 70000
            port: 70000
                  ^~~~~
        0.yaml:2:9: note: overrides the value here
        """)
  }

  @Test func `random layers merge as plain values do`() throws {
    for seed in 1...60 {
      var dice = Dice(seed)
      let layers = try (0..<1 + dice.roll(5)).map { try dice.layer("\($0)") }
      let settings = try Settings(layers.map(\.0))
      let expected = naivelyMerged(layers.map(\.1))
      #expect(sorted(settings.value() ?? .null) == sorted(expected), "seed \(seed)")
      for path in paths(of: expected) {
        let found = settings.value(at: path).map(sorted)
        #expect(found == value(at: path, of: expected).map(sorted), "seed \(seed) \(path)")
        let place = try #require(settings.origin(at: path)?.winner.place, "seed \(seed) \(path)")
        #expect(place.line == 1)
      }
      #expect(settings.value(at: Path([.key("nothing")])) == nil)
    }
  }

  @Test func `changes are the paths whose values differ`() throws {
    for seed in 1...60 {
      var dice = Dice(seed)
      let layers = try (0..<4).map { try dice.layer("\($0)") }
      var changed = layers
      changed[dice.roll(4)] = try dice.layer("new")
      let (old, new) = (try Settings(layers.map(\.0)), try Settings(changed.map(\.0)))
      let (before, after) = (naivelyMerged(layers.map(\.1)), naivelyMerged(changed.map(\.1)))
      let changes = new.changes(since: old)
      for path in changes {
        #expect(old.value(at: path) != new.value(at: path) || isSecrecyChanged(path, old, new))
      }
      for path in Set(paths(of: before) + paths(of: after))
      where value(at: path, of: before).map(sorted) != value(at: path, of: after).map(sorted) {
        #expect(changes.contains { overlaps($0, path) }, "seed \(seed) \(path)")
      }
      #expect(old.changes(since: try Settings(layers.map(\.0))).isEmpty)
    }
  }

  @Test func `what an alias no longer makes secret is a change`() throws {
    func settings(_ text: String) throws -> Settings {
      let document = try YAMLDocument.read(Array(text.utf8), file: "shop.yaml")
      return try Settings([Layer(document)]).marking(secret: [Path([.key("b")])])
    }
    let old = try settings("a: &x {k: 1, l: 2}\nb: *x\nc: 1\n")
    let new = try settings("a: &x {k: 1, l: 2}\nb: {k: 1}\nc: 1\n")
    #expect(new.changes(since: old).map(\.description).sorted() == ["a.k", "a.l", "b.l"])
  }

  private func isSecrecyChanged(_ path: Path, _ old: Settings, _ new: Settings) -> Bool {
    old.isSecret(at: path) != new.isSecret(at: path)
  }

  private func overlaps(_ left: Path, _ right: Path) -> Bool {
    zip(left.components, right.components).allSatisfy { $0 == $1 }
  }
}

/// Settings of layers called `0.yaml`, `1.yaml` and so on.
func merged(_ layers: String...) throws -> Settings {
  try Settings(
    layers.enumerated().map { Layer(try document($0.element, "\($0.offset).yaml")) })
}

func document(_ text: String, _ file: String = "in.yaml") throws -> YAMLDocument {
  try YAMLDocument.read(Array(text.utf8), file: file)
}
