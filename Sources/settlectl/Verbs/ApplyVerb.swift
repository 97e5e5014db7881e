import Control
import Options
import SettledValues

extension Command {
  /// Puts targets into place again.
  static let apply = Command(
    Verb(
      "apply", summary: "put targets in place again",
      details: [
        "Writes what the generation in force wants, even over what was changed by hand, and does its "
          + "actions once. No input is read."
      ],
      examples: [
        Example("settlectl apply site", "one target, or all its instances"),
        Example("settlectl apply 'vhost[shop]'", "one instance"),
        Example("settlectl apply", "all of them"),
      ],
      arguments: [Argument("TARGET", .optional)], options: [.output, .json])
  ) { invocation, tool throws(ToolError) in
    let target = invocation.arguments.first
    let verdict = try tool.ask { client throws(ControlClient.Fault) in try client.apply(target) }
    let number = verdict.generation
    let sentence =
      switch verdict.outcome {
      case .applied: "generation \(number) is in place again"
      case .unchanged: "nothing was to be done for generation \(number)"
      case .refused: "apply refused; generation \(number) stays as it was"
      case .rolledBack: "a step failed and all was rolled back; generation \(number) is in force"
      }
    return try tool.show(verdict, saying: sentence, for: invocation)
  }
}

extension Tool {
  /// Shows a verdict with its findings.
  func show(
    _ verdict: Verdict, saying sentence: String, for invocation: Invocation
  ) throws(ToolError) -> ExitStatus {
    for finding in verdict.diagnostics { console.report(finding.description) }
    var wire: ValueMap = ["version": .int(Status.version)]
    for (key, value) in zip(verdict.wire.keys, verdict.wire.values) { wire[key] = value }
    let isKept = verdict.outcome == .applied || verdict.outcome == .unchanged
    if isKept || invocation.has(.json) || invocation.has(.output) {
      let answer = Answer(text: { _ in sentence + "\n" }, value: .map(wire))
      try show(answer, for: invocation)
    }
    guard !isKept else { return .done }
    throw ToolError(.refused, sentence)
  }
}
