import Expressions
import SettledValues
import Templates
import TestSupport
import Testing

/// What is said about templates that cannot be read or rendered.
@Suite struct ErrorTests {
  @Test(arguments: [
    (
      "a\n  {{ nope }}",
      """
      main:2:6: error: 'nope' does not exist
          {{ nope }}
             ^~~~
      """
    ),
    (
      "port {{ http.prot }};",
      """
      main:1:13: error: there is no 'prot' in 'http'
        port {{ http.prot }};
                    ^~~~~
        hint: did you mean 'port'?
      """
    ),
    (
      "{{ http }}",
      """
      main:1:4: error: 'http' is a map, which '{{ }}' does not print
        {{ http }}
           ^~~~
        hint: write json() around it
      """
    ),
    (
      "x\n{% if http.port %}{% endif %}",
      """
      main:2:7: error: 'http.port' is an int, not a bool
        {% if http.port %}{% endif %}
              ^~~~~~~~~
      """
    ),
  ])
  func `a failure names the template's file and line`(source: String, message: String) throws {
    let names: ValueMap = ["http": ["port": 80]]
    let error = #expect(throws: TemplateError.self) { try rendered(source, names) }
    #expect(error?.description == message)
  }

  @Test(arguments: [
    ("é {{ 1", "main:1:3: error: '{{' has no '}}'"),
    ("{% if true", "main:1:1: error: '{%' has no '%}'"),
    ("a\n\n {# b", "main:3:2: error: '{#' has no '#}'"),
    ("{% raw %}", "main:1:1: error: 'raw' has no 'endraw'"),
    ("\n{% if true %}x", "main:2:4: error: 'if' has no 'endif'"),
    (
      "{% for x in [1] %}{% endif %}",
      "main:1:22: error: 'endif' stands where 'endfor' is due"
    ),
    ("{% endif %}", "main:1:4: error: 'endif' belongs to no block"),
    ("{% els %}", "main:1:4: error: there is no tag 'els'"),
    ("{% for x of y %}", "main:1:10: error: 'for' needs 'in' after its names"),
    ("{% set x %}", "main:1:10: error: 'set' needs '=' after its name"),
    ("{% include name %}", "main:1:12: error: 'include' needs the name of a file in quotes"),
    ("{{ 1 2 }}", "main:1:6: error: unexpected '2'"),
    ("{{ x | upper }}", "main:1:6: error: unexpected '|'"),
    ("{{ x %}", "main:1:6: error: expected '}}', not '%}'"),
    ("{{ upperAsci('a') }}", "main:1:4: error: there is no function 'upperAsci'"),
    ("{% include 'none' %}", "main:1:12: error: cannot include 'none': Missing()"),
  ])
  func `what is not a template is refused with its place`(source: String, summary: String) throws {
    let error = #expect(throws: TemplateError.self) { try rendered(source) }
    #expect(error?.diagnostic.summary == summary)
  }

  @Test func `a template that includes itself is refused with the circle`() throws {
    let files = ["a": "{% include 'b' %}", "b": "{% include 'a' %}"]
    let error = #expect(throws: TemplateError.self) {
      try rendered("{% include 'a' %}", files: files)
    }
    #expect(error?.message == "the template includes itself: a -> b -> a")
  }

  @Test func `an error in an included file names that file`() throws {
    let error = #expect(throws: TemplateError.self) {
      try rendered("{% include 'a' %}", files: ["a": "\n\n {{ nope }}"])
    }
    #expect(error?.place == Place(file: "a", line: 3, column: 5))
  }

  @Test(arguments: [[0xFF], [0x61, 0x0A, 0xC3, 0x28], [0x62, 0xE2, 0x82]] as [[UInt8]])
  func `what is not UTF-8 is refused with its place`(bytes: [UInt8]) throws {
    let error = #expect(throws: TemplateError.self) { try Template(bytes, file: "t") }
    #expect(error?.message == "the template is not UTF-8 here")
    #expect(error?.place.line == (bytes.contains(0x0A) ? 2 : 1))
  }

  @Test(
    arguments: [
      String(repeating: "{% if true %}", count: 100_000),
      String(repeating: "{% for x in [1] %}", count: 50_000),
      "{{ " + String(repeating: "(", count: 100_000),
      "{{ '" + String(repeating: "a", count: 1_000_000),
      String(repeating: "x", count: 5_000_000),
      String(repeating: "{{ a", count: 200_000),
      String(repeating: "{#", count: 500_000),
      "{% raw %}" + String(repeating: "{% endra", count: 100_000),
    ].map(LongText.init))
  func `excess is refused when a template is read`(source: LongText) throws {
    #expect(throws: TemplateError.self) { try rendered(source.text) }
  }

  @Test func `includes that multiply are refused`() throws {
    var files = Dictionary(
      uniqueKeysWithValues: (0..<30).map { number in
        ("f\(number)", "{% include 'f\(number + 1)' %}{% include 'f\(number + 1)' %}")
      })
    files["f30"] = "x"
    let error = #expect(throws: TemplateError.self) {
      try rendered("{% include 'f0' %}", files: files)
    }
    #expect(error?.kind == .limit)
  }

  @Test(arguments: [
    "{% for a in xs %}{% for b in xs %}{% for c in xs %}{% endfor %}{% endfor %}{% endfor %}",
    "{% for a in xs %}{% for b in xs %}0123456789{{ text }}{% endfor %}{% endfor %}",
    "{% set t = text %}{% for a in xs %}{% for b in xs %}{{ (t + t + t).size() }}{% endfor %}"
      + "{% endfor %}",
  ])
  func `excess is refused when a template is rendered`(source: String) throws {
    let names: ValueMap = [
      "xs": .list(Array(repeating: 1, count: 3000)),
      "text": .string(String(repeating: "x", count: 1000)),
    ]
    let error = #expect(throws: TemplateError.self) { try rendered(source, names) }
    #expect(error?.kind == .limit)
    #expect(error?.place.line == 1)
  }
}
