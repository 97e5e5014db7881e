import Expressions
import SettledValues
import Testing

/// The free names of an expression, by which a manifest is checked.
@Suite struct RootTests {
  @Test(arguments: [
    ("http.port + port", ["http.port 0..<9", "port 12..<16"]),
    ("settings['my-app'].port", ["settings 0..<8"]),
    ("users.map(u, u.name + suffix)", ["users 0..<5", "suffix 22..<28"]),
    ("cel.bind(x, y, x + z)", ["y 12..<13", "z 19..<20"]),
    ("has(http.tls.key) && http.?tls.hasValue()", ["http.tls 4..<12", "http 21..<25"]),
    ("math.greatest(a, 1)", ["a 14..<15"]),
    ("[1].exists(x, x == .x)", ["x 19..<21"]),
    ("a.`b-c`.d", ["a[\"b-c\"].d 0..<9"]),
    ("1 + 2", []),
  ])
  func `free names are found with their paths and places`(source: String, roots: [String]) throws {
    let expression = try Expression(source)
    #expect(expression.roots.map { "\($0.path) \($0.pathRange)" } == roots)
  }

  @Test func `names of types need not exist`() throws {
    let expression = try Expression("type(x) == string && type(y) == google.protobuf.Timestamp")
    #expect(expression.roots.filter { !$0.isTypeName }.map(\.name) == ["x", "y"])
    let shadowing = try Expression("string")
    #expect(try shadowing.evaluate(ValueLookup(["string": 1])) == 1)
    #expect(try shadowing.evaluate(ValueLookup([:])) == .type("string"))
  }

  @Test func `words that other languages reserve are names`() throws {
    let lookup = ValueLookup(["namespace": "default", "loop": 1, "package": ["in": true]])
    #expect(try Expression("namespace + string(loop)").evaluate(lookup) == "default1")
    #expect(try Expression("package.in").evaluate(lookup) == true)
  }
}
