import SettledValues

/// The daemon's metrics, read from its OpenMetrics text for those who do not know that.
struct MetricFamilies {
  private struct Family {
    var name: String
    var type: String
    var help = ""
    var unit: String?
    /// Lines: a name with labels, and a number.
    var samples: [(head: Substring, number: Substring)] = []
  }

  private var families: [Family] = []

  /// Reads a text in which every family begins with its type.
  init(reading text: String) {
    for line in text.split(separator: "\n") {
      if line.hasPrefix("# ") {
        readMark(line.dropFirst(2).split(separator: " ", maxSplits: 2))
      } else if let blank = line.lastIndex(of: " "), let last = families.indices.last {
        families[last].samples.append((line[..<blank], line[line.index(after: blank)...]))
      }
    }
  }

  private mutating func readMark(_ words: [Substring]) {
    guard words.count == 3 else { return }
    let text = String(words[2])
    switch (words[0], families.indices.last) {
    case ("TYPE", _): families.append(Family(name: String(words[1]), type: text))
    case ("HELP", let last?): families[last].help = text
    case ("UNIT", let last?): families[last].unit = text
    default: break
    }
  }

  /// The families with their samples, as programs read them.
  var value: Value {
    let all = families.map { family -> Value in
      let samples = family.samples.map { Self.value(of: $0.head, $0.number) }
      return [
        "name": .string(family.name), "type": .string(family.type), "help": .string(family.help),
        "unit": family.unit.map { .string($0) } ?? .null, "samples": .list(samples),
      ]
    }
    return ["version": 1, "families": .list(all)]
  }

  private static func value(of head: Substring, _ number: Substring) -> Value {
    var labels: ValueMap = [:]
    // No label of the daemon's holds a quote or a comma.
    for part in head.drop(while: { $0 != "{" }).dropFirst().dropLast().split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else { continue }
      labels[.string(String(pair[0]))] = .string(String(pair[1].filter { $0 != "\"" }))
    }
    let value = Int64(number).map(Value.int) ?? Double(number).map(Value.double) ?? .null
    return [
      "name": .string(String(head.prefix { $0 != "{" })), "labels": .map(labels), "value": value,
    ]
  }

  /// The text in Prometheus' own format 0.0.4, which node_exporter reads from files; it names a
  /// counter as its sample is named, and has gauges for the types it does not know.
  var prometheusText: String {
    families.map { family in
      let name =
        switch family.type {
        case "counter": family.name + "_total"
        case "info": family.name + "_info"
        default: family.name
        }
      let type = ["info", "stateset"].contains(family.type) ? "gauge" : family.type
      return "# HELP \(name) \(family.help)\n# TYPE \(name) \(type)\n"
        + family.samples.map { "\($0.head) \($0.number)\n" }.joined()
    }.joined()
  }
}
