import SettledObserving
import SettledSettings
import SettledValues
import SettledYAML
import Testing

@ObservingActor
struct ModelReadingTests {
  @Test func `every kind of property is read`() throws {
    let shop = ShopModel()
    try shop.update(
      from: settings(
        """
        {host: 1.10, port: 81, ratio: 1, open: false, level: debug, motto: yes, retries: 3, wait: 2s,
        cache: 10MiB, home: "https://example.org/a%20b", tags: [a, 08], prices: {tea: 2.5},
        routes: [{handler: a}, {path: /b, handler: b}], token: secret,
        database: {name: orders}, mirror: {pool: 2}, shards: {x: {pool: 8}}}
        """))
    #expect(shop.host == "1.10")
    #expect(shop.port == 81)
    #expect(shop.ratio == 1)
    #expect(!shop.isOpen)
    #expect(shop.level == .debug)
    #expect(shop.motto == "yes")
    #expect(shop.retries == 3)
    #expect(shop.wait == .seconds(2))
    #expect(shop.cache == .mebibytes(10))
    #expect(shop.home?.text == "https://example.org/a%20b")
    #expect(shop.tags == ["a", "08"])
    #expect(shop.prices == ["tea": 2.5])
    #expect(shop.routes == [Route(handler: "a"), Route(path: "/b", handler: "b")])
    #expect(shop.token == "secret")
    #expect(shop.database.name == "orders")
    #expect(shop.database.pool == 4)
    #expect(shop.mirror?.pool == 2)
    #expect(shop.shards.mapValues(\.pool) == ["x": 8])
  }

  @Test func `a model is read from where its settings are`() throws {
    let shop = ShopModel()
    let all = try settings("{shops: [{port: 1}, {port: 2}], other: 1}")
    try shop.update(from: all, at: Path([.key("shops"), .index(1)]))
    #expect(shop.port == 2)
  }

  @Test(arguments: [
    ("port: 70000", "0.yaml:1:7: error: 'port' must be at most 65535, not 70000"),
    ("port: 0", "0.yaml:1:7: error: 'port' must be at least 1, not 0"),
    ("port: 8o", "0.yaml:1:7: error: 'port' must be an integer, not '8o'"),
    ("port: {a: 1}", "0.yaml:1:7: error: 'port' must be an integer, not a map"),
    ("open: yes", "0.yaml:1:7: error: 'open' must be true or false, not 'yes'"),
    (
      "level: inf",
      "0.yaml:1:8: error: 'level' must be one of debug, info, error, not 'inf'"
    ),
    ("wait: 2m", "0.yaml:1:7: error: 'wait' must be at most 1m, not '2m'"),
    ("wait: 5", "0.yaml:1:7: error: 'wait' must be a duration such as 10s, not 5"),
    ("cache: 1KiB", "0.yaml:1:8: error: 'cache' must be at least 4KiB, not '1KiB'"),
    ("cache: big", "0.yaml:1:8: error: 'cache' must be a size such as 64KiB, not 'big'"),
    ("home: nowhere", "0.yaml:1:7: error: 'home' must be a URL with its scheme, not 'nowhere'"),
    (
      "tags: [a, b, c, d]",
      "0.yaml:1:7: error: 'tags' must have at most 3 entries, not 4"
    ),
    ("tags: [[a]]", "0.yaml:1:8: error: 'tags[0]' must be a string, not a list"),
    ("prices: {tea: dear}", "0.yaml:1:15: error: 'prices.tea' must be a number, not 'dear'"),
    ("prot: 1", "0.yaml:1:1: error: the settings have no key 'prot'"),
    ("database: {pol: 1}", "0.yaml:1:12: error: 'database' has no key 'pol'"),
    ("database: none", "0.yaml:1:11: error: 'database' must be a map, not 'none'"),
    ("routes: [{path: /}]", "0.yaml:1:10: error: 'routes[0].handler' must be set"),
    ("mirror: {pool: 0}", "0.yaml:1:16: error: 'mirror.pool' must be at least 1, not 0"),
    ("shards: {x: {pool: 0}}", "0.yaml:1:20: error: 'shards.x.pool' must be at least 1, not 0"),
    ("token: ab", "0.yaml:1:8: error: 'token' must be longer"),
  ])
  func `a value that does not fit is refused at its place`(text: String, message: String) throws {
    #expect(try refusal(ShopModel(), text) == [message])
  }

  @Test func `all that is wrong is told at once, and nothing is changed`() throws {
    let shop = ShopModel()
    let found = try refusal(
      shop, "{host: a, port: 0, routes: [{path: b}], database: {pool: 0, x: 1}}")
    #expect(found.count == 5)
    #expect(shop.host == "127.0.0.1")
    #expect(shop.database.pool == 4)
  }

  @Test func `a refusal shows the line, what is overridden, and what was meant`() throws {
    let settings = try settings("port: 80", "{port: 70000, levl: info}")
    let refusal = #expect(throws: Refusal.self) { try ShopModel().update(from: settings) }
    #expect(
      refusal?.text == """
        1.yaml:1:15: error: the settings have no key 'levl'
          {port: 70000, levl: info}
                        ^~~~
          hint: did you mean 'level'?
        1.yaml:1:8: error: 'port' must be at most 65535, not 70000
          {port: 70000, levl: info}
                 ^~~~~
        0.yaml:1:7: note: overrides the value here
        """)
  }

  @Test func `nothing of a secret is shown`() throws {
    let file = try YAMLDocument.read(
      Array("{port: hunter2, host: {hunter2: 1}}".utf8), file: "s", isSecret: true)
    let secret = try Settings([Layer(file)])
    let declared = try settings("token: [hunter2]")
    for settings in [secret, declared] {
      let refusal = #expect(throws: Refusal.self) { try ShopModel().update(from: settings) }
      #expect(refusal?.text.contains("hunter2") == false)
      #expect(refusal?.text.contains("must be") == true)
    }
  }

  @Test func `faults without end are told up to a limit`() throws {
    let text = (0..<1_000).map { "k\($0): 1" }.joined(separator: "\n")
    let refusal = try refusal(ShopModel(), text)
    #expect(refusal.count == SettingsChanges.maximumFindings + 1)
    #expect(refusal.last == "error: 900 more findings are not shown")
  }
}
