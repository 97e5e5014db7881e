import Control
import Generations
import Options
import SettledInputs
import SettledValues

extension Command {
  /// Checks a manifest and all its inputs.
  static let check = Command(
    Verb(
      "check", summary: "check a manifest",
      details: [
        "Reads, merges, computes and renders as a reload would, and tells every fault with its place. "
          + "Only inputs are looked at, so it needs none of the machine that they are for."
      ],
      examples: [
        Example("settlectl check", "what a reload would say"),
        Example("settlectl check settled.yaml", "in the CI of a settings repository"),
        Example("settlectl check --json", "the findings, for programs"),
      ],
      arguments: [Argument("MANIFEST", .optional, values: .file)], options: [.output, .json])
  ) { invocation, tool throws(ToolError) in
    let pass = Pass(inputsOf: invocation)
    try tool.showRefusal(pass.findings, for: invocation)
    let candidate = try pass.candidate(tool)
    let (files, targets) = (candidate.inputs.files.count, candidate.targetCount)
    let answer = Answer(
      text: { _ in "ok: \(counted(files, "input")), \(counted(targets, "target"))\n" },
      value: [
        "version": 1, "refused": false, "inputs": .int(Int64(files)),
        "targets": .int(Int64(targets)), "warnings": .int(Int64(candidate.warnings.count)),
        "diagnostics": .list(candidate.warnings.map { .map($0.wire) }),
      ])
    try tool.show(answer, for: invocation)
    return .done
  }
}

/// A number of things: `1 target`, `2 targets`.
func counted(_ number: Int, _ thing: String) -> String {
  number == 1 ? "1 \(thing)" : "\(number) \(thing)s"
}
