import Control
import Options
import SettledValues

extension Command {
  /// Has all inputs read again.
  static let reload = Command(
    Verb(
      "reload", summary: "read all inputs again",
      details: [
        "Exits with 1 when the inputs are refused or a step failed; the generation that was in force "
          + "then stays in force."
      ],
      examples: [
        Example("settlectl reload", "as 'systemctl reload settled' does"),
        Example("settlectl reload --json", "the verdict with its findings, for programs"),
      ],
      options: [.output, .json])
  ) { invocation, tool throws(ToolError) in
    let verdict = try tool.ask { client throws(ControlClient.Fault) in try client.reload() }
    return try tool.show(verdict, saying: verdict.sentence, for: invocation)
  }
}

extension Verdict {
  /// The verdict in a sentence.
  fileprivate var sentence: String {
    switch outcome {
    case .applied: "generation \(generation) is in force"
    case .unchanged: "generation \(generation) is in force already; nothing has changed since"
    case .refused: "reload refused, keeping generation \(generation)"
    case .rolledBack: "a step failed and all was rolled back, keeping generation \(generation)"
    }
  }
}
