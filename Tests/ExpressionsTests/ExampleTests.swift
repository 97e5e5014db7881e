import Expressions
import SettledValues
import Testing

/// The library used alone, as its documentation shows it.
@Suite struct ExampleTests {
  @Test func `an expression is compiled once and evaluated over values`() throws {
    let listen = try Expression("host + ':' + string(port)")
    let settings = ValueLookup(["host": "example.org", "port": 8080])
    #expect(try listen.evaluate(settings) == "example.org:8080")
    #expect(listen.roots.map(\.name) == ["host", "port"])
  }

  @Test func `a lookup of one's own finds what names mean`() throws {
    struct Environment: Lookup {
      let variables: [String: String]
      func lookUp(_ name: String) -> Found? { variables[name].map { .value(.string($0)) } }
    }
    let isDebug = try Expression("LEVEL.lowerAscii() in ['debug', 'trace']")
    #expect(try isDebug.evaluate(Environment(variables: ["LEVEL": "DEBUG"])) == true)
  }

  @Test func `an expression may be shared by tasks`() async throws {
    let square = try Expression("n * n")
    let squares = try await withThrowingTaskGroup(of: Value.self) { group in
      for number in 1...8 {
        group.addTask { try square.evaluate(ValueLookup(["n": .int(Int64(number))])) }
      }
      return try await group.reduce(into: Set<Value>()) { $0.insert($1) }
    }
    #expect(squares == Set((1...8).map { Value.int($0 * $0) }))
  }
}
