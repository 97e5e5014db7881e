import Expressions
import SettledValues
import Templates
import Testing

/// Strings with expressions in them, as manifests have them.
@Suite struct InterpolationTests {
  @Test(arguments: [
    ("/etc/{{ name }}.conf", "/etc/shop.conf"), ("plain", "plain"), ("", ""),
    ("{{ port }}", "8080"), ("{{ name }}{{ port + 1 }}", "shop8081"), ("a{b}{% c", "a{b}{% c"),
    ("{{ {'a': 'x'}['a'] }}", "x"), ("{{ '{{' }}", "{{"), ("{{name}}!", "shop!"),
  ])
  func `expressions are replaced by their text`(source: String, expected: String) throws {
    let names = ValueLookup(["name": "shop", "port": 8080])
    #expect(try Interpolation(source).render(names) == expected)
  }

  @Test func `a check may refuse the text of an expression`() throws {
    let path = try Interpolation("/etc/{{ name }}.conf")
    let names = ValueLookup(["name": "../shadow"])
    let error = #expect(throws: ExpressionError.self) {
      try path.render(names) { $0.contains("/") ? "a piece of a path may not hold '/'" : nil }
    }
    #expect(error?.message == "a piece of a path may not hold '/'")
    #expect(error?.range == 8..<12)
    #expect(error?.path == Path([.key("name")]))
  }

  @Test func `errors and names point into the string`() throws {
    let path = try Interpolation("é {{ a.b }} {{ c }}")
    #expect(path.roots.map { "\($0.path) \($0.range)" } == ["a.b 6..<7", "c 16..<17"])
    let error = #expect(throws: ExpressionError.self) { try Interpolation("x {{ 1 + }}") }
    #expect(error?.range == 9..<9)
    #expect(throws: ExpressionError.self) { try Interpolation("x {{ 1") }
    #expect(throws: ExpressionError.self) { try path.render(ValueLookup(["a": 1, "c": 2])) }
  }

  @Test func `what has no text is an error with a hint`() throws {
    let error = #expect(throws: ExpressionError.self) {
      try Interpolation("{{ list }}").render(ValueLookup(["list": [1]]))
    }
    #expect(
      error?.description == "'list' is a list, which '{{ }}' does not print; write json() around it"
    )
  }
}
