import SettledValues
import Templates

/// Prints rendered megabytes a second.
func printRenderingRates() throws {
  print("| template | output bytes | MB/s | target |")
  print("|---|---:|---:|---:|")
  for row in RenderingRow.all {
    let template = try Template(Array(row.source.utf8), file: row.name)
    let lookup = ValueLookup(row.names)
    var output: [UInt8] = []
    let time = nanoseconds(count: row.turns) {
      for _ in 0..<row.turns {
        output.removeAll(keepingCapacity: true)
        _ = try? template.render(lookup, into: &output)
      }
    }
    let rate = rounded(Double(output.count) * 1000 / time)
    print("| \(row.name) | \(output.count) | \(rate) | 200 |")
  }
}

/// A template and what it is rendered over.
private struct RenderingRow {
  var name: String
  var source: String
  var names: ValueMap
  var turns: Int

  static var all: [RenderingRow] {
    let line = "server db01.example.org:5432 weight=5 max_fails=3 fail_timeout=30s;\n"
    let server =
      "  server {{ s.host }}:{{ s.port }} weight={{ s.weight }} max_fails=3 fail_timeout=30s;\n"
    let servers = (0..<15_000).map { number -> Value in
      ["host": .string("db\(number).example.org"), "port": 5432, "weight": .int(Int64(number % 9))]
    }
    return [
      RenderingRow(
        name: "text", source: String(repeating: line, count: 15_000), names: [:], turns: 500),
      RenderingRow(
        name: "text with a value every 10 lines",
        source: String(
          repeating: String(repeating: line, count: 9) + "host {{ host }};\n", count: 1_600),
        names: ["host": "db01.example.org"], turns: 100),
      RenderingRow(
        name: "loop with three values a line",
        source: "{% for s in servers %}\(server){% endfor %}", names: ["servers": .list(servers)],
        turns: 10),
    ]
  }
}
