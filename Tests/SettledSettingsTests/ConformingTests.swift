import SettledSettings
import SettledValues
import SettledYAML
import Testing

@Suite struct ConformingTests {
  private func schema(_ text: String) throws -> Schema {
    try Schema(try YAMLDocument.read(Array(text.utf8), file: "schema.yaml"))
  }

  private func settings(_ texts: String...) throws -> Settings {
    try Settings(
      texts.enumerated().map { number, text in
        Layer(try YAMLDocument.read(Array(text.utf8), file: "\(number).yaml"))
      })
  }

  private let shop = """
    type: object
    properties:
      http:
        type: object
        properties:
          host: {type: string, default: localhost}
          port: {type: integer, default: 8080}
          version: {type: string, default: 1.10}
      cache: {type: object, required: [size], properties: {size: {type: integer}, unit: {default: MB}}}
      log: {default: {level: info}, type: object, properties: {level: {}, colour: {default: never}}}
      vhosts:
        type: object
        additionalProperties: {type: object, properties: {port: {default: 80}}}
      workers:
        type: array
        items: {$ref: "#/$defs/worker"}
    $defs:
      worker: {type: object, properties: {name: {type: string}, weight: {default: 1}}}
    """

  @Test func `defaults are the lowest layer, in maps that are missing and in each entry`() throws {
    let found = try settings("http: {port: 1}\nvhosts: {a: {}, b: {port: 81}}\n").conforming(
      to: schema(shop))
    #expect(
      found.value(at: Path([.key("http")]))
        == ["host": "localhost", "version": "1.10", "port": 1])
    #expect(found.value(at: Path([.key("vhosts")])) == ["a": ["port": 80], "b": ["port": 81]])
    #expect(found.value(at: Path([.key("log")])) == ["level": "info", "colour": "never"])
    #expect(found.value(at: Path([.key("cache")])) == nil, "it would lack what it requires")
    let origin = try #require(found.origin(at: Path([.key("http"), .key("host")])))
    #expect(origin.winner.place.description == "schema.yaml:6:37")
    #expect(origin.winner.origin == "schema.yaml")
    #expect(origin.winner.rank == 0)
  }

  @Test func `defaults reach the elements of a list`() throws {
    let found = try settings("workers: [{name: a}, {name: b, weight: 5}, {}]").conforming(
      to: schema(shop))
    let workers = Path([.key("workers")])
    #expect(
      found.value(at: workers) == [
        ["weight": 1, "name": "a"], ["name": "b", "weight": 5], ["weight": 1],
      ])
    #expect(found.count(at: workers) == 3)
    #expect(found.value(at: workers.appending(2).appending("weight")) == 1)
    #expect(found.place(at: workers.appending(0).appending("name"))?.description == "0.yaml:1:18")
    let same = try settings("workers: [{name: a}, {name: b, weight: 5}, {}]").conforming(
      to: schema(shop))
    #expect(same.changes(since: found) == [])
  }

  @Test func `a written null unsets, and the default applies`() throws {
    let found = try settings("http: {port: 1, host: a}", "http: {port: null}\nlog: ~").conforming(
      to: schema(shop))
    #expect(found.value(at: Path([.key("http"), .key("port")])) == 8080)
    #expect(found.value(at: Path([.key("log"), .key("level")])) == "info")
    let all = try settings("http: {port: 1}", "http: null").conforming(to: schema(shop))
    #expect(all.value(at: Path([.key("http"), .key("port")])) == 8080)
  }

  @Test(
    arguments: [
      ("1.10", "{type: string}", "1.10"), ("yes", "{type: string}", "yes"),
      ("08", "{type: string}", "08"), ("true", "{type: string}", "true"),
      ("12", "{type: [string, integer]}", 12), ("1.0", "{type: integer}", 1.0),
      ("0x1F", "{}", 31), ("12", "{anyOf: [{type: integer}, {type: string}]}", 12),
      ("1.5", "{anyOf: [{type: integer}, {type: string}]}", "1.5"),
      ("12", "{allOf: [{pattern: '^1'}, {type: string}]}", "12"),
      ("1.10", "{enum: ['1.9', '1.10']}", "1.10"), ("1.10", "{type: string, const: 1.10}", "1.10"),
      ("'12'", "{type: string}", "12"), ("12", "{$ref: '#/$defs/text'}", "12"),
    ] as [(String, String, Value)])
  func `a plain scalar is read as what the schema asks for`(
    text: String, rule: String, value: Value
  ) throws {
    let schema = try schema("$defs: {text: {type: string}}\nproperties: {a: \(rule)}")
    let found = try settings("a: \(text)").conforming(to: schema)
    #expect(found.value(at: Path([.key("a")])) == value)
    #expect(found.warnings == [])
    #expect(found.explain(Path([.key("a")])).first?.value == value)
  }

  @Test func `what is asked for elsewhere decides before a choice is tried`() throws {
    let rules = try schema(
      """
      if: {properties: {version: {const: "1.10"}}}
      then: {required: [old]}
      properties: {version: {type: string}}
      """)
    #expect(throws: Refusal.self) { try settings("version: 1.10").conforming(to: rules) }
    let choice = try schema(
      """
      oneOf:
        - {properties: {kind: {const: a}, value: {type: string}}}
        - {properties: {kind: {const: b}, value: {type: integer}}}
      """)
    let found = try settings("{kind: a, value: 1.10}").conforming(to: choice)
    #expect(found.value(at: Path([.key("value")])) == "1.10")
    #expect(
      try settings("{kind: b, value: 2}").conforming(to: choice).value(at: Path([.key("value")]))
        == 2)
  }

  @Test func `reading a value in another way is a change, reading it in the same way is none`()
    throws
  {
    let document = try YAMLDocument.read(Array("a: 12\nb: 13\n".utf8), file: "a.yaml")
    let plain = try Settings([Layer(document)])
    let text = try schema("properties: {a: {type: string}}")
    let first = try plain.conforming(to: text)
    let again = try plain.conforming(to: schema("properties: {a: {type: string}}"), after: first)
    #expect(again.changes(since: first) == [])
    #expect(first.changes(since: plain) == [Path([.key("a")])])
  }

  @Test func `what is deprecated is warned of where it is set, with what to use instead`() throws {
    let rules = try schema(
      """
      properties:
        old: {deprecated: true, description: use 'new'}
        older: {deprecated: true, deprecationMessage: use 'new', default: 1}
        list: {items: {properties: {x: {deprecated: true}}}}
      """)
    let found = try settings("old: 1\nlist: [{}, {x: 1}]\n").conforming(to: rules)
    #expect(
      found.warnings.map(\.description) == [
        "0.yaml:1:6: warning: 'old' is deprecated\n  old: 1\n       ^\n  hint: use 'new'",
        "0.yaml:2:16: warning: 'list[1].x' is deprecated\n  list: [{}, {x: 1}]\n                 ^",
      ])
  }

  @Test func `what is for writing only is secret, also where nothing is set`() throws {
    let rules = try schema(
      """
      properties:
        db: {properties: {password: {writeOnly: true, type: string, minLength: 99}}}
        users: {additionalProperties: {properties: {key: {writeOnly: true}}}}
        token: {writeOnly: true}
      """)
    let found = try settings("users: {a: {key: 1, name: x}}").conforming(to: rules)
    #expect(
      Set(found.secretPaths.map(\.description)) == ["db.password", "users.a.key", "token"])
    #expect(found.shownValue() == ["users": ["a": ["key": "(secret)", "name": "x"]]])
    do {
      _ = try settings("db: {password: hunter2}").conforming(to: rules)
      Issue.record("it is too short")
    } catch {
      #expect(!"\(error)".contains("hunter2"))
      let text = (error as? Refusal)?.text ?? ""
      #expect(
        text == "0.yaml:1:16: error: 'db.password' must have at least 99 characters, not what it is"
      )
    }
  }

  @Test func `a default that does not keep the schema is refused at its place`() throws {
    let rules = try schema("properties: {port: {type: integer, default: many}}")
    do {
      _ = try settings("a: 1").conforming(to: rules)
      Issue.record("the default is no integer")
    } catch {
      let text = (error as? Refusal)?.diagnostics.map(\.summary)
      #expect(text == ["schema.yaml:1:45: error: 'port' must be an integer, not 'many'"])
    }
  }

  @Test func `a schema that goes into itself has an end`() throws {
    let rules = try schema(
      "{type: object, properties: {next: {$ref: '#'}, n: {default: 1, writeOnly: true}}}")
    let found = try settings("next: {next: {}}").conforming(to: rules)
    #expect(found.value() == ["next": ["next": ["n": 1], "n": 1], "n": 1])
  }
}
