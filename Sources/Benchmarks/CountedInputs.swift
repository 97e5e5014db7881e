import Expressions
import SettledObserving
import SettledSettings
import SettledValues
import SettledYAML
import Templates

/// A fixed input whose instructions are counted: packaging/bench/instructions.
private struct CountedInput: Sendable {
  var name: String
  var run: @Sendable () async throws -> Void
}

private let countedInputs = [
  // What every other one takes too: starting, and going through the same doors.
  CountedInput(name: "nothing") { await ObservingActor.run {} },
  CountedInput(name: "events") {
    _ = BareEvents.count(in: GeneratedSettings.file(leaves: 5_000))
  },
  CountedInput(name: "nodes") {
    _ = try YAMLDocument.read(GeneratedSettings.file(leaves: 5_000), file: "in.yaml")
  },
  CountedInput(name: "load") {
    let file = GeneratedSettings.file(leaves: 5_000)
    let layer = Layer(try YAMLDocument.read(file, file: "in.yaml"))
    try await ObservingActor.run { SettingsStore().replace(with: try Settings([layer, layer])) }
  },
  CountedInput(name: "expressions") {
    for row in EvaluationRow.all {
      let (expression, lookup) = (try Expression(row.source), ValueLookup(row.names))
      for _ in 0..<1_000 { _ = try expression.evaluate(lookup) }
    }
  },
  CountedInput(name: "store") {
    try await ObservingActor.run {
      for row in EvaluationRow.all {
        try TrackedRow(row).evaluate(times: 200)
      }
    }
  },
  CountedInput(name: "schema") {
    let file = GeneratedSettings.file(leaves: 5_000)
    let settings = try Settings([Layer(try YAMLDocument.read(file, file: "in.yaml"))])
    let schema = try GeneratedSettings.schema()
    for _ in 0..<10 { _ = try settings.conforming(to: schema) }
  },
  CountedInput(name: "template") {
    let items = (0..<2_000).map { Value.map(["name": .string("db\($0)"), "port": 5432]) }
    let source = "{% for s in servers %}server {{ s.name }}:{{ s.port }};\n{% endfor %}"
    var output: [UInt8] = []
    try Template(Array(source.utf8), file: "t")
      .render(ValueLookup(["servers": .list(items)]), into: &output)
  },
  CountedInput(name: "memos") {
    await ObservingActor.run {
      let source = Dependency()
      let memos = (0..<100).map { number in
        Memo("memo", fallback: 0) {
          source.read()
          return number
        }
      }
      for _ in 0..<100 {
        transaction { source.changed() }
        for memo in memos { precondition(memo.value >= 0) }
      }
    }
  },
]

/// Runs the input called `name`; without one, prints the names.
func runCountedInput(_ name: String?) async throws {
  guard let input = countedInputs.first(where: { $0.name == name }) else {
    for input in countedInputs { print(input.name) }
    return
  }
  try await input.run()
}
