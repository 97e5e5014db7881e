import Control
import Generations
import Options
import SettledValues
import Targets

extension Command {
  /// Shows what applying a manifest would do.
  static let plan = Command(
    Verb(
      "plan", summary: "show what would change",
      details: [
        "Prints every step with its reasons and the difference it makes; secrets are masked. Without "
          + "MANIFEST the daemon is asked, where it runs. A plan that is made here counts in what was "
          + "applied, so that it has what is to be removed and to be done again, for the standard "
          + "manifest, or with --state-directory. Nothing is touched."
      ],
      examples: [
        Example("settlectl plan", "what would a reload do?"),
        Example("settlectl plan --exit-code", "exits with 10 when there are changes"),
      ],
      arguments: [Argument("MANIFEST", .optional, values: .file)],
      options: [.exitCode, .root, .stateDirectory, .output, .json])
  ) { invocation, tool throws(ToolError) in
    let (text, plan, hasChanges) = try found(invocation, tool)
    try tool.show(Answer(text: { $0.shown(text) }, value: plan), for: invocation)
    return invocation.has(.exitCode) && hasChanges ? .changes : .done
  }

  /// The plan of the daemon, which knows why; without one, or for a manifest that is named, that of
  /// a pass made here.
  private static func found(
    _ invocation: Invocation, _ tool: Tool
  ) throws(ToolError) -> (text: String, plan: Value, hasChanges: Bool) {
    let isOfDaemon = [.root, .stateDirectory].allSatisfy { invocation.value(of: $0) == nil }
    if invocation.arguments.isEmpty, isOfDaemon {
      do throws(ToolError) {
        return try ask(invocation, tool)
      } catch  where error.status == .notRunning {}
    }
    let pass = try Pass(comparing: invocation)
    try tool.showRefusal(pass.findings, for: invocation)
    let plan = try pass.candidate(tool).plan
    return (plan.text, plan.value, !plan.isEmpty)
  }

  private static func ask(
    _ invocation: Invocation, _ tool: Tool
  ) throws(ToolError) -> (text: String, plan: Value, hasChanges: Bool) {
    let answer = try tool.ask { client throws(ControlClient.Fault) in try client.plan() }
    guard !answer.isRefused else {
      try tool.showRefusal(answer.diagnostics, for: invocation)
      throw tool.refused(answer.diagnostics)
    }
    for finding in answer.diagnostics { tool.console.report(finding.description) }
    return (answer.text, answer.plan, answer.hasChanges)
  }
}

extension Option {
  fileprivate static let exitCode = Option(
    "exit-code", summary: "exit with 10 when there are changes")
}
