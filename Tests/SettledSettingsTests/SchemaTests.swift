import SettledPatterns
import SettledSettings
import SettledValues
import SettledYAML
import Testing

@Suite struct SchemaTests {
  private func schema(_ text: String, _ limits: SchemaLimits = .default) throws -> Schema {
    try Schema(try YAMLDocument.read(Array(text.utf8), file: "s.yaml"), limits: limits)
  }

  private func refusal(_ text: String) -> [String] {
    do {
      _ = try schema(text)
      return []
    } catch {
      return (error as? Refusal)?.diagnostics.map(\.summary) ?? ["\(error)"]
    }
  }

  @Test func `all that is wrong with a schema is told at its place`() {
    let found = refusal(
      """
      type: objekt
      properties:
        a: {minimum: low, multipleOf: 0}
        b: {pattern: "[a"}
        c: 5
        d: {$ref: "#/$defs/d"}
        e: {$ref: "other.yaml"}
        f: {allOf: []}
      """)
    #expect(
      found == [
        "s.yaml:1:7: error: there is no type 'objekt'",
        "s.yaml:3:16: error: 'minimum' must be a number",
        "s.yaml:3:33: error: 'multipleOf' must be above 0",
        "s.yaml:4:19: error: this is no regular expression: missing terminating ] for character class",
        "s.yaml:5:6: error: a schema must be a map, true or false",
        "s.yaml:6:13: error: '$ref' leads nowhere: there is no '$defs'",
        "s.yaml:7:13: error: '$ref' names another document, 'other.yaml', and only this one is read",
        "s.yaml:8:14: error: 'allOf' must be a list of schemas, and not empty",
      ])
  }

  @Test func `the tables of a document are read with the reader's own constants`() {
    #expect(RecordBits.isAside == NodeRecord.Flags.isAside.rawValue)
    #expect(RecordBits.hasNull == NodeRecord.Flags.hasNull.rawValue)
    #expect(RecordBits.isWide == NodeRecord.Flags.isWide.rawValue)
    #expect(RecordBits.isTagged == NodeRecord.Flags.isTagged.rawValue)
    #expect(RecordBits.none == NodeRecord.none)
  }

  @Test func `a pattern as a value keeps the limits of patterns`() throws {
    var limits = SchemaLimits()
    limits.patterns.length = 4
    let patterns = try schema("format: regex", limits)
    #expect(patterns.accepts("a{2}"))
    #expect(!patterns.accepts("a{20}"))
  }

  @Test(arguments: [
    "$ref: '#'", "$defs: {a: {$ref: '#/$defs/b'}, b: {allOf: [{$ref: '#/$defs/a'}]}}",
    "not: {$ref: '#'}", "dependentSchemas: {a: {$ref: '#'}}",
  ])
  func `a schema that leads back to itself for the same value is refused`(text: String) {
    let found = refusal(text)
    #expect(found.count == 1)
    #expect(found.first?.contains("refers to itself for the same value") == true)
  }

  @Test func `a chain of references is bounded`() {
    var text = "$defs:\n"
    for number in 0..<2000 { text += "  a\(number): {$ref: '#/$defs/a\(number + 1)'}\n" }
    text += "  a2000: {type: string}\n$ref: '#/$defs/a0'\n"
    #expect(refusal(text).first?.contains("the limit 'schema.depth' is 512") == true)
  }

  @Test func `a schema may go into the value without end`() throws {
    let tree = try schema(
      "{type: object, properties: {next: {$ref: '#'}}, additionalProperties: false}")
    #expect(tree.accepts(["next": ["next": [:]]]))
    #expect(!tree.accepts(["next": ["nest": [:]]]))
  }

  @Test func `choices nested in choices end at a limit with a name`() throws {
    var text = "$defs:\n"
    for level in 0..<40 {
      let next = "{$ref: '#/$defs/a\(level + 1)'}"
      text += "  a\(level): {anyOf: [\(next), \(next)]}\n"
    }
    var limits = SchemaLimits()
    limits.steps = 10_000
    let nest = try schema(text + "  a40: {type: string}\n$ref: '#/$defs/a0'\n", limits)
    #expect(nest.accepts("text"))
    #expect(!nest.accepts(5))
    #expect(
      nest.violations(of: 5).map(\.message) == [
        "validating the settings takes too much work: the limit 'schema.steps' is 10000"
      ])
  }

  @Test func `a pattern that would run for ages is stopped`() throws {
    let slow = try schema("pattern: '^(a+)+$'")
    let text = Value.string(String(repeating: "a", count: 200) + "!")
    #expect(!slow.accepts(text))
    #expect(
      slow.violations(of: text).map(\.message) == [
        "matching the settings against a pattern took more steps than allowed"
      ])
    #expect(slow.accepts("aaa"))
  }

  @Test func `a choice among very many is looked up`() throws {
    let names = (0..<200_000).map { "name-\($0)-\(String(repeating: "x", count: 40))" }
    let text = "enum: [" + names.joined(separator: ", ") + "]"
    let limits = YAMLLimits(fileSize: 64 << 20)
    let document = try YAMLDocument.read(Array(text.utf8), file: "s.yaml", limits: limits)
    let large = try Schema(document)
    #expect(names.allSatisfy { large.accepts(.string($0)) })
    #expect(!large.accepts("name"))
  }

  @Test(
    arguments: [
      ("{minimum: 1}", 0, "'a' must be at least 1, not 0"),
      ("{exclusiveMaximum: 1.5}", 1.5, "'a' must be below 1.5, not 1.5"),
      ("{multipleOf: 0.1}", 0.25, "'a' must be a multiple of 0.1, not 0.25"),
      ("{type: [integer, string]}", true, "'a' must be a string or an integer, not true"),
      ("{type: number}", "x", "'a' must be a number, not 'x'"),
      ("{const: 1}", 2, "'a' must be 1, not 2"),
      ("{enum: [debug, info]}", "inof", "'a' must be one of 'debug', 'info', not 'inof'"),
      ("{minLength: 1}", "", "'a' must have at least 1 character, not empty text"),
      ("{maxLength: 2}", "äöü", "'a' must have at most 2 characters, not 3"),
      ("{pattern: '^b'}", "a", "'a' must match the pattern '^b', which 'a' does not"),
      ("{format: ipv4}", "1.2.3", "'a' must be an IPv4 address, not '1.2.3'"),
      ("{maxItems: 1}", [1, 2], "'a' must have at most 1 element, not 2"),
      ("{uniqueItems: true}", [1, 1.0], "'a' must not repeat elements: 0 and 1 are the same"),
      (
        "{contains: {type: string}}", [1],
        "'a' must have at least 1 element as 'contains' describes, not 0"
      ),
      ("{required: [b]}", [:], "'a' has no 'b', which is required"),
      ("{dependentRequired: {b: [c]}}", ["b": 1], "'a' has 'b', and so needs 'c'"),
      ("{additionalProperties: false}", ["b": 1], "'a' has no key 'b'"),
      ("{propertyNames: {maxLength: 1}}", ["bb": 1], "the key 'bb' is not an allowed name"),
      (
        "{anyOf: [{type: string}, {type: boolean}]}", 1,
        "'a' must be a string or true or false as one of the choices of 'anyOf', not 1"
      ),
      (
        "{oneOf: [{type: integer}, {minimum: 1}]}", 2,
        "'a' fits choices 1 and 2 of 'oneOf', and must fit one only"
      ),
      ("{not: {type: string}}", "x", "'a' must not be what 'not' describes"),
      ("false", 1, "the settings have no key 'a'"),
    ] as [(String, Value, String)])
  func `a violation is told in words`(text: String, value: Value, message: String) throws {
    let found = try schema("properties: {a: \(text)}").violations(of: ["a": value])
    #expect(found.map(\.message) == [message])
  }

  @Test func `all violations are told at once, and one inside of a choice where it is meant`()
    throws
  {
    let found = try schema(
      """
      properties:
        a: {type: integer}
        b: {items: {maximum: 2}}
        c: {anyOf: [{type: string}, {type: object, required: [x], additionalProperties: {type: string}}]}
      """
    ).violations(of: ["a": "x", "b": [1, 5, 9], "c": ["y": 1]])
    #expect(found.map(\.path.description) == ["a", "b[1]", "b[2]", "c.y", "c"])
    #expect(found.last?.message == "'c' has no 'x', which is required")
  }

  @Test func `formats can be left unasserted`() throws {
    var limits = SchemaLimits()
    limits.assertsFormats = false
    #expect(try schema("format: ipv4", limits).accepts("x"))
    #expect(!(try schema("format: ipv4").accepts("x")))
  }
}
