import Generations
import SettledValues
import Testing

@Suite struct EvaluationTests {
  private func generation() throws -> Generation {
    try Shop([
      "settled.yaml": """
      layers: [shop.yaml]
      derived:
        listen: http.host + ":" + string(http.port)
      """,
      "shop.yaml": "http: {host: a, port: 80, names: [x, yy]}\nmy-app: {port: 1}\n",
    ]).prepare().generation
  }

  @Test(
    arguments: [
      ("http.port * 2", 160, ["http.port"]),
      ("listen + '!'", "a:80!", ["listen"]),
      ("http.names.map(n, n.size())", [1, 2], ["http.names", "http.names[0]", "http.names[1]"]),
      ("has(http.nothing) ? 1 : 2", 2, ["http"]),
      ("settings['my-app'].port", 1, ["settings[\"my-app\"].port"]),
      ("http == http", true, ["http"]),
      ("1 + 1", 2, []),
    ] as [(String, Value, [String])])
  func `an expression is evaluated, and what it read is told`(
    expression: String, value: Value, reads: [String]
  ) throws {
    let evaluation = try generation().evaluate(expression)
    #expect(evaluation.value == value)
    #expect(evaluation.reads.map(\.description) == reads)
  }

  @Test func `a fault is told with a caret below the expression`() throws {
    let error = #expect(throws: Refusal.self) { try generation().evaluate("1 +\n  http.prt") }
    #expect(
      error?.text == """
        expression:2:7: error: there is no 'prt' in 'http'
            http.prt
                ^~~~
          hint: did you mean 'port'?
        """)
  }

  @Test func `a name that does not exist is told, also where it would not be read`() throws {
    let error = #expect(throws: Refusal.self) { try generation().evaluate("true || lissten == 1") }
    #expect(
      error?.text == """
        expression:1:9: error: 'lissten' does not exist
          true || lissten == 1
                  ^~~~~~~
          hint: did you mean 'listen'?
        """)
  }

  @Test func `a path gives its value`() throws {
    let generation = try generation()
    #expect(try generation.value(at: "listen") == "a:80")
    #expect(try generation.value(at: "http.names[1]") == "yy")
    #expect(try generation.value(at: "settings[\"my-app\"]") == ["port": 1])
  }
}
