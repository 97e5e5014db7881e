import SettledValues
import Testing

@Suite struct `diagnostics` {
  let place = Place(file: "shop.d/20-web.yaml", line: 3, column: 9)

  @Test func `show place, sentence, caret, hint and notes`() {
    let diagnostic = Diagnostic(
      .error, "'http.port' must be at most 65535, not 70000", at: place,
      excerpt: .init(line: "  port: 70000", length: 5), hint: "use a port from 1 to 65535",
      notes: [.init("overrides this", at: Place(file: "shop.yaml", line: 2))])
    #expect(
      diagnostic.description == """
        shop.d/20-web.yaml:3:9: error: 'http.port' must be at most 65535, not 70000
            port: 70000
                  ^~~~~
          hint: use a port from 1 to 65535
        shop.yaml:2: note: overrides this
        """)
    #expect(
      diagnostic.summary
        == "shop.d/20-web.yaml:3:9: error: 'http.port' must be at most 65535, not 70000")
  }

  @Test func `keep tabs under tabs and the caret inside the line`() {
    let tabs = Diagnostic(.error, "x", at: place, excerpt: .init(line: "\ta:\tb", length: 40))
    let column = Place(file: "f", line: 1, column: 5)
    #expect(
      Diagnostic(.error, "x", at: column, excerpt: tabs.excerpt).description
        == "f:1:5: error: x\n  \ta:\tb\n  \t  \t^")
  }

  @Test func `never let data steer the terminal`() {
    let diagnostic = Diagnostic(
      .warning, "a\u{1B}[31m\nb", at: Place(file: "f\u{7}"), hint: "c\u{9B}\u{2028}")
    #expect(
      diagnostic.description
        == "f\\u{7}: warning: a\\u{1B}[31m\\u{A}b\n  hint: c\\u{9B}\\u{2028}")
  }

  @Test func `need no place`() {
    #expect(Diagnostic(.error, "nothing to read").description == "error: nothing to read")
    #expect(Place(file: "f").description == "f")
    #expect(Place(file: "f", line: 2).description == "f:2")
  }
}
