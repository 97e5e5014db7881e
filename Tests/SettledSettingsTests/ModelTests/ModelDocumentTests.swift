import Observation
import SettledObserving
import SettledSettings
import SettledValues
import SettledYAML
import Testing

private let shopReference = """
  # the address it listens on
  host: "127.0.0.1"

  # the port it listens on, 1 to 65535
  port: 8080

  # 0.0 to 1.0
  ratio: 0.5

  open: true

  # what is logged
  level: info

  # motto:

  # at most 9
  # retries:

  # how long it waits, 1ms to 1m
  wait: "500ms"

  # what it keeps, at least 4KiB
  cache: "1MiB"

  # home:

  # at most 3 entries
  tags:
    - new

  # prices:

  # what is served
  routes: []

  # token:

  # where orders are kept
  database:
    name: shop
    # its connections, at least 1
    pool: 4

  # mirror:

  # shards:

  """

@ObservingActor
struct ModelDocumentTests {
  @Test func `a commented file has every setting at its default`() throws {
    #expect(ShopModel.reference() == shopReference)
  }

  @Test func `a commented file changes nothing`() throws {
    #expect(try ShopModel().update(from: settings(ShopModel.reference())).isEmpty)
  }

  @Test func `the schema has types, limits, defaults and documentation`() throws {
    #expect(
      DatabaseModel.schemaFile() == """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "type": "object",
          "properties": {
            "name": {
              "type": "string",
              "default": "shop"
            },
            "pool": {
              "type": "integer",
              "minimum": 1,
              "default": 4,
              "description": "its connections, at least 1"
            }
          },
          "additionalProperties": false
        }

        """)
  }

  @Test(arguments: [
    ("port", #"{"type":"integer","minimum":1,"maximum":65535,"default":8080}"#),
    ("level", #"{"type":"string","enum":["debug","info","error"],"default":"info"}"#),
    (
      "retries",
      #"{"anyOf":[{"type":"integer","maximum":9},{"type":"null"}],"default":null}"#
    ),
    ("home", #"{"anyOf":[{"type":"string","format":"uri"},{"type":"null"}],"default":null}"#),
    ("tags", #"{"type":"array","items":{"type":"string"},"maxItems":3,"default":["new"]}"#),
    ("token", #"{"type":"string","writeOnly":true}"#),
    (
      "shards",
      """
      {"type":"object","additionalProperties":{"type":"object","properties":{"name":\
      {"type":"string","default":"shop"},"pool":{"type":"integer","minimum":1,"default":4}},\
      "additionalProperties":false}}
      """
    ),
    (
      "routes",
      """
      {"type":"array","items":{"type":"object","properties":{"path":{"type":"string","default":"/"},\
      "handler":{"type":"string"}},"required":["handler"],"additionalProperties":false},"default":[]}
      """
    ),
  ])
  func `the schema of a setting says what may be written`(name: String, schema: String) throws {
    guard case .map(let properties)? = ShopModel.schema["properties"],
      let found = properties[name]
    else { return #expect(Bool(false), "no schema of '\(name)'") }
    #expect(withoutDescriptions(found) == (try JSON.read(Array(schema.utf8))))
  }

  @Test(arguments: [
    "port: 1", "port: 0", "port: 70000", "port: x", "port: {}", "host: 1.10", "host: [a]",
    "open: true", "open: yes", "level: debug", "level: loud", "ratio: 1", "ratio: 1.5",
    "retries: 9", "retries: 10", "wait: 2s", "wait: 5", "wait: 0.5s", "cache: 65536",
    "cache: 10MiB", "cache: big",
    "home: https://a.example/b?c#d", "home: nowhere", "tags: [a, b, c]", "tags: [a, b, c, d]",
    "tags: {a: 1}", "prices: {tea: 2.5}", "prices: {tea: dear}", "routes: [{handler: a}]",
    "routes: [{path: /}]", "routes: [{handler: a, x: 1}]", "prot: 1", "database: {pool: 0}",
    "database: {pol: 1}", "mirror: {pool: 2}", "shards: {x: {pool: 2}}", "shards: {x: {pool: 0}}",
    "shards: [1]",
  ])
  func `the schema takes what the model takes`(text: String) throws {
    let schema = try Schema(
      YAMLDocument.read(Array(ShopModel.schemaFile().utf8), file: "schema.json"))
    let settings = try settings(text)
    let isTaken = (try? ShopModel().changes(in: settings)) != nil
    let conforms = (try? settings.conforming(to: schema)) != nil
    #expect(isTaken == conforms)
  }

  @Test(arguments: [
    (Duration.seconds(5400), "1h30m"), (.milliseconds(1_500), "1s500ms"), (.zero, "0s"),
    (.nanoseconds(1_000_001), "1ms1ns"),
  ])
  func `a duration is written as it is read`(duration: Duration, text: String) throws {
    #expect(duration.written == .string(text))
    let node = try #require(SettingNode(settings("a: \(text)"), at: Path([.key("a")])))
    #expect(try Duration.read(node) == duration)
  }

  @Test(arguments: [
    (0, "0"), (1, "1"), (1_000, "1000"), (1_024, "1KiB"), (3 << 20, "3MiB"), (1 << 40, "1TiB"),
  ])
  func `a number of bytes is written as it is read`(bytes: Int, text: String) throws {
    #expect(ByteCount(bytes).description == text)
    let node = try #require(SettingNode(settings("a: \(text)"), at: Path([.key("a")])))
    #expect(try ByteCount.read(node) == ByteCount(bytes))
  }

  @Test(arguments: [
    ("https://example.org", true), ("mailto:a@b", true), ("unix:/run/x%20y", true),
    ("http:", true), ("1a:b", false), (":a", false), ("http://a b", false), ("a:%4", false),
    ("a:%zz", false), ("a:é", false), ("", false),
  ])
  func `the text of a URL is told from other text`(text: String, isURL: Bool) {
    #expect((URLText(text) != nil) == isURL)
  }
}

private func withoutDescriptions(_ value: Value) -> Value {
  switch value {
  case .map(let map):
    .map(
      ValueMap(
        zip(map.keys, map.values).filter { $0.0 != "description" }
          .map { (key: $0.0, value: withoutDescriptions($0.1)) }))
  case .list(let list): .list(list.map(withoutDescriptions))
  default: value
  }
}
