import Expressions
import SettledObserving
import SettledSettings
import SettledValues
import SettledYAML

/// Prints evaluations a second over settings in a store, and what recording the reads adds.
///
/// A memo is evaluated anew for every turn, over plain values and over the store: the difference is
/// what the store and the record of what was read take.
func printTrackingRates() async throws {
  print("\n| expression | values | store, unobserved | memo of values | memo of store | adds ns |")
  print("|---|---:|---:|---:|---:|---:|")
  for row in EvaluationRow.all { print(try await ObservingActor.run { try line(of: row) }) }
}

@ObservingActor
private func line(of row: EvaluationRow) throws -> String {
  let expression = try Expression(row.source)
  let values = ValueLookup(row.names)
  let store = SettingsStore(try Settings([Layer(try document(of: row.names))]))
  let lookup = store.lookup()
  guard try expression.evaluate(lookup) == row.result else { return "| `\(row.source)` | wrong |" }
  let turns = row.turns / 3
  let plain = [values as any Lookup, lookup].map { lookup in
    nanoseconds(count: turns) {
      for _ in 0..<turns { precondition((try? expression.evaluate(lookup)) != nil) }
    }
  }
  let tracked = [values as any Lookup, lookup].map { memoTime(expression, $0, turns) }
  let cells = (plain + tracked).map { rounded(1e6 / $0) + "k" } + [rounded(tracked[1] - tracked[0])]
  return "| `\(row.source)`\(row.note) | \(cells.joined(separator: " | ")) |"
}

/// The time of a memo's evaluation after something it read changed.
@ObservingActor
private func memoTime(_ expression: Expression, _ lookup: any Lookup, _ turns: Int) -> Double {
  let tracked = TrackedRow(expression, lookup)
  return nanoseconds(count: turns) { tracked.evaluate(times: turns) }
}

/// A row's expression as a memo that is evaluated anew.
@ObservingActor
struct TrackedRow {
  private let tick = Dependency()
  private let memo: Memo<Value, Never>

  /// The expression over settings in a store.
  init(_ row: EvaluationRow) throws {
    let store = SettingsStore(try Settings([Layer(try document(of: row.names))]))
    self.init(try Expression(row.source), store.lookup())
  }

  init(_ expression: Expression, _ lookup: any Lookup) {
    memo = Memo("memo", fallback: Value.null) { [tick] in
      tick.read()
      return (try? expression.evaluate(lookup)) ?? .null
    }
  }

  func evaluate(times: Int) {
    for _ in 0..<times {
      transaction { tick.changed() }
      precondition(memo.value != .null)
    }
  }
}

/// Values as a document: JSON is YAML.
private func document(of names: ValueMap) throws -> YAMLDocument {
  var text: [UInt8] = []
  try JSON.write(.map(names), into: &text)
  return try YAMLDocument.read(text, file: "names.json")
}
