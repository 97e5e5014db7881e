import Generations
import Options
import SettledValues
import Targets

extension Command {
  /// Shows what applying a manifest would do.
  static let plan = Command(
    Verb(
      "plan", summary: "show what a reload would do",
      details: [
        "Prints every step with the difference it makes; secrets are masked. Nothing is touched."
      ],
      examples: [
        Example("settlectl plan", "what would a reload do?"),
        Example("settlectl plan --exit-code", "exits with 10 when there are changes"),
      ],
      arguments: [Argument("MANIFEST", .optional, values: .file)],
      options: [.exitCode, .root, .output, .json])
  ) { invocation, tool throws(ToolError) in
    let candidate = try Pass(invocation, comparesFiles: true).candidate(tool)
    let answer = Answer(
      text: { style in
        let plan = candidate.plan
        let steps = plan.files.map(\.text) + plan.actions.map(\.line)
        return plan.isEmpty ? "nothing to do\n" : steps.map(style.shown).joined(separator: "\n")
      },
      value: [
        "version": 1, "files": .list(candidate.plan.files.map(\.wire)),
        "actions": .list(candidate.plan.actions.map(\.wire)),
      ])
    try tool.show(answer, for: invocation)
    return invocation.has(.exitCode) && !candidate.plan.isEmpty ? .changes : .done
  }
}

extension Option {
  fileprivate static let exitCode = Option(
    "exit-code", summary: "exit with 10 when there are changes")
}

extension ActionStep {
  /// The action as people read it.
  fileprivate var line: String { "\(action.text) (for \(targets.joined(separator: ", ")))\n" }

  /// The action as programs read it.
  fileprivate var wire: Value {
    ["action": .string(action.text), "targets": .list(targets.map { .string($0) })]
  }
}

extension FileStep {
  /// The step as programs read it.
  fileprivate var wire: Value {
    [
      "target": .string(desired.target), "change": .string(change.rawValue),
      "file": .string(desired.path),
    ]
  }
}
