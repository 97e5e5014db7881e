import Expressions
import SettledValues

/// Prints evaluations a second of compiled expressions over a lookup that tracks nothing.
///
/// `packaging/bench/cel-peers.py` prints the same for other implementations.
func printEvaluationRates() throws {
  print("| expression | evaluations/s | target |")
  print("|---|---:|---:|")
  for row in EvaluationRow.all {
    let lookup = ValueLookup(row.names)
    let expression = try Expression(row.source)
    guard try expression.evaluate(lookup) == row.result else {
      print("| `\(row.source)` | wrong result | |")
      continue
    }
    var failures = 0
    let time = nanoseconds(count: row.turns) {
      for _ in 0..<row.turns {
        if (try? expression.evaluate(lookup)) == nil { failures += 1 }
      }
    }
    let rate = failures == 0 ? rounded(1e6 / time) + "k" : "failed"
    print("| `\(row.source)`\(row.note) | \(rate) | \(row.target) |")
  }
}

/// An expression, what it is evaluated over and what it gives.
struct EvaluationRow {
  var source: String
  var note = ""
  var names: ValueMap
  var result: Value
  var turns: Int
  var target: String

  static var all: [EvaluationRow] {
    let text: ValueMap = ["name": "database", "suffix": "01"]
    let condition: ValueMap = ["port": 5432, "host": "db01", "mode": "ro"]
    let source = "port > 0 && port < 65536 && host.startsWith(\"db\") && mode in [\"ro\", \"rw\"]"
    return [
      EvaluationRow(
        source: "a.b.c * 4 + 1", names: ["a": ["b": ["c": 5]]], result: 21, turns: 300_000,
        target: "3,000k"),
      EvaluationRow(
        source: "name + \"-\" + suffix + \".example.org\"", names: text,
        result: "database-01.example.org", turns: 300_000, target: "3,000k"),
      EvaluationRow(source: source, names: condition, result: true, turns: 300_000, target: "-"),
    ] + [10, 100].flatMap(loops)
  }

  private static func loops(over count: Int) -> [EvaluationRow] {
    let items = (0..<count).map { Value.int(Int64($0)) }
    let names: ValueMap = ["items": .list(items)]
    let target = count == 10 ? "300k" : "30k"
    let doubled = (0..<count).map { Value.int(Int64($0 * 2)) }
    let even = (0..<count).filter { $0 % 2 == 0 }.map { Value.int(Int64($0)) }
    return [
      ("items.map(x, x * 2)", Value.list(doubled)),
      ("items.filter(x, x % 2 == 0)", .list(even)),
      ("items.exists(x, x == \(count - 1))", true),
    ].map { source, result in
      EvaluationRow(
        source: source, note: " over \(count)", names: names, result: result,
        turns: 600_000 / count,
        target: target)
    }
  }
}
