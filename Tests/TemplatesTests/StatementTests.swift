import Expressions
import SettledValues
import Templates
import Testing

/// Renders a template over names.
func rendered(
  _ source: String, _ names: ValueMap = [:], options: TemplateOptions = TemplateOptions(),
  files: [String: String] = [:]
) throws -> String {
  struct Missing: Error {}
  let template = try Template(Array(source.utf8), file: "main", options: options) { name in
    guard let text = files[name] else { throw Missing() }
    return IncludedFile(file: name, bytes: Array(text.utf8))
  }
  var output: [UInt8] = []
  try template.render(ValueLookup(names), into: &output)
  return String(decoding: output, as: UTF8.self)
}

/// Statements beyond the shared cases; the expected text is Jinja2's.
@Suite struct StatementTests {
  @Test(
    arguments: [
      ("{% set x = 1 %}{{ x }}", "1"),
      ("{% set x = 1 %}{% set x = x + 1 %}{{ x }}", "2"),
      (
        "{% set s = 1 %}{% for i in [1, 2] %}{% set s = s + i %}{{ s }} {% endfor %}{{ s }}",
        "2 3 1"
      ),
      ("{% for i in [1, 2] %}{{ n }}{% set n = 'x' %}{{ n }}{% endfor %}{{ n }}", "oxoxo"),
      ("{% if n == 'o' %}{% set n = 'y' %}{% endif %}{{ n }}", "y"),
      ("{% if n == 'p' %}{% set n = 'y' %}{% endif %}{{ n }}", "o"),
      ("{% if false %}{% set v = 1 %}{% else %}{% set v = 2 %}{% endif %}{{ v }}", "2"),
      ("{% if true %}{% set v = 1 %}{% else %}{% set v = 2 %}{% endif %}{{ v }}", "1"),
      ("{% for i in [1,2] %}{% if i == 1 %}{% set n = 'z' %}{% endif %}{{ n }}{% endfor %}", "zo"),
      ("{% for k, v in {'a': 1, 'b': 2} %}{{ k }}={{ v }};{% endfor %}", "a=1;b=2;"),
      ("{% for k in {'a': 1, 'b': 2} %}{{ k }}{% endfor %}", "ab"),
      ("{% for x in [] %}{% else %}{{ n }}{% endfor %}", "o"),
      ("{% for x in [1, 2] %}{{ loop.length }}{{ loop.index0 }} {% endfor %}", "20 21 "),
      ("{% for x in [1] %}{{ json(loop.first) }}{{ loop['last'] }}{% endfor %}", "truetrue"),
      ("{% for x in [1] %}{% for y in [7, 8] %}{% endfor %}{{ loop.length }}{% endfor %}", "1"),
      ("{% set m = {'a': [1, 2]} %}{% for x in m.a %}{{ x }}{% endfor %}", "12"),
      ("{{ [1, 2].map(x, x + 1)[1] }}{{ n }}", "3o"),
      ("{{ true }} {{ 5u }} {{ 1.5 }}", "true 5 1.5"),
      ("{% for x in [1,2,3] if %}", nil),
    ] as [(String, String?)])
  func `statements do what they do in Jinja2`(source: String, expected: String?) throws {
    guard let expected else {
      #expect(throws: TemplateError.self) { try rendered(source) }
      return
    }
    #expect(try rendered(source, ["n": "o"]) == expected)
  }

  @Test func `files are included with the names around them`() throws {
    let files = ["line": "{{ x }}{% set x = 9 %}{{ x }};", "outer": "<{% include 'line' %}>"]
    #expect(
      try rendered("{% for x in [1, 2] %}{% include 'outer' %}{{ x }}{% endfor %}", files: files)
        == "<19;>1<29;>2")
  }

  @Test func `what is included is known before rendering`() throws {
    let files = ["a": "{% include 'b' %}", "b": "{{ deep.name }}"]
    let template = try Template(Array("{% include \"a\" %}{{ top }}".utf8), file: "main") { name in
      IncludedFile(file: name, bytes: Array((files[name] ?? "").utf8))
    }
    #expect(template.includes.map(\.name) == ["a", "b"])
    #expect(template.includes.map(\.place.description) == ["main:1:12", "a:1:12"])
    #expect(
      template.names.map { "\($0.root.path) \($0.place)" } == ["deep.name b:1:4", "top main:1:21"])
  }

  @Test func `line breaks of other systems are kept`() throws {
    var options = TemplateOptions()
    options.trimBlocks = true
    #expect(try rendered("a\r\n{% if true %}\r\nb{% endif %}\r\n", options: options) == "a\r\nb")
    #expect(try rendered("a\r\nb\r\n") == "a\r\nb")
  }

  @Test func `minus strips the white space of Unicode`() throws {
    #expect(try rendered("a\u{A0}\u{2003}{{- 'x' -}}\u{3000}\u{85}b") == "axb")
  }
}
