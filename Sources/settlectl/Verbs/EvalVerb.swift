import Control
import Generations
import Options
import SettledValues

extension Command {
  /// Evaluates an expression.
  static let eval = Command(
    Verb(
      "eval", summary: "evaluate an expression",
      details: [
        "Asks the daemon, or with --manifest reads a manifest and its inputs without one. "
          + "What read a secret is not shown."
      ],
      examples: [
        Example("settlectl eval 'http.workers * 2'", "over the generation in force"),
        Example("settlectl eval --trace 'names.map(n, n.size())'", "and what was read"),
        Example("settlectl eval -m settled.yaml listen", "without a daemon"),
      ],
      arguments: [Argument("EXPRESSION")], options: [.manifest, .trace, .output, .json])
  ) { invocation, tool throws(ToolError) in
    let (value, reads) = try evaluate(invocation, tool)
    let isTraced = invocation.has(.trace)
    let answer = Answer(
      text: { style in
        let trace = isTraced ? reads.map { "  read \($0.printable)\n" }.joined() : ""
        return value.shown(in: style) + trace
      },
      value: isTraced ? ["value": value, "reads": .list(reads.map { .string($0) })] : value)
    try tool.show(answer, for: invocation)
    return .done
  }

  private static func evaluate(
    _ invocation: Invocation, _ tool: Tool
  ) throws(ToolError) -> (value: Value, reads: [String]) {
    let expression = invocation.arguments[0]
    guard let manifest = invocation.value(of: .manifest) else {
      return try tool.ask { client throws(ControlClient.Fault) in try client.evaluate(expression) }
    }
    let candidate = try Pass(invocation, manifest: manifest).candidate(tool)
    do {
      let evaluation = try candidate.generation.evaluate(expression)
      return (evaluation.value, evaluation.reads.map(\.description))
    } catch {
      throw ToolError(.refused, error.text)
    }
  }
}

extension Option {
  /// Has a manifest read, and no daemon asked.
  static let manifest = Option(
    "manifest", "m", metavar: "FILE", values: .file, summary: "read this manifest, ask no daemon")
  fileprivate static let trace = Option("trace", summary: "tell what was read")
}
