import Control
import Options
import SettledValues

extension Command {
  /// Waits until nothing is under way.
  static let wait = Command(
    Verb(
      "wait", summary: "wait until all is settled",
      details: [
        "Has the inputs compared first, so that an edit made before counts. Exits with 0 when "
          + "settled, and with 1 when that ends degraded or the time is up."
      ],
      examples: [
        Example("settlectl wait", "after files were copied"),
        Example("settlectl wait --timeout 30", "at most 30 seconds"),
      ],
      options: [.timeout, .output, .json])
  ) { invocation, tool throws(ToolError) in
    let limit = try limit(invocation)
    let end = try tool.ask { client throws(ControlClient.Fault) in try client.wait(atMost: limit) }
    guard let end else { throw ToolError(.refused, "not settled in time") }
    let answer = Answer(
      text: { _ in "" },
      value: [
        "version": 1, "state": .string(end.state.rawValue), "generation": .int(end.generation),
        "summary": .string(end.summary),
      ])
    try tool.show(answer, for: invocation)
    if end.state == .settled { return .done }
    throw ToolError(.refused, end.summary.isEmpty ? end.state.rawValue : end.summary)
  }

  private static func limit(_ invocation: Invocation) throws(ToolError) -> Duration? {
    guard let text = invocation.value(of: .timeout) else { return nil }
    guard let seconds = Double(text), seconds > 0, seconds < 1e9 else {
      throw ToolError(.usage, "option '--timeout' must be a number of seconds, not '\(text)'")
    }
    return .milliseconds(Int64(seconds * 1000))
  }
}

extension Option {
  fileprivate static let timeout = Option(
    "timeout", metavar: "SECONDS", summary: "wait no longer than this")
}
