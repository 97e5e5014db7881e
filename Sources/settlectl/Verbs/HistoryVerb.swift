import Control
import Options
import SettledValues

extension Command {
  /// Shows what the last passes did.
  static let history = Command(
    Verb(
      "history", summary: "show what was done",
      details: ["COUNT is how many of the last passes are shown; the newest is the last line."],
      examples: [
        Example("settlectl history", "the last 10"),
        Example("settlectl history 100 --json", "all that is kept, for programs"),
      ],
      arguments: [Argument("COUNT", .optional)], options: [.output, .json])
  ) { invocation, tool throws(ToolError) in
    let count = try count(invocation.arguments.first)
    let entries = try tool.ask { client throws(ControlClient.Fault) in
      try client.history(last: count)
    }
    let answer = Answer(
      text: { HistoryText(entries: entries, style: $0).text },
      value: ["version": 1, "entries": .list(entries.map { .map($0.wire) })])
    try tool.show(answer, for: invocation)
    return .done
  }

  private static func count(_ text: String?) throws(ToolError) -> Int {
    guard let text else { return 10 }
    guard let count = Int(text), (1...HistoryEntry.limit).contains(count) else {
      throw ToolError(.usage, "COUNT must be from 1 to \(HistoryEntry.limit), not '\(text)'")
    }
    return count
  }
}
