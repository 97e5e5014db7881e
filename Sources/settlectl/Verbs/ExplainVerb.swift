import Control
import Generations
import Options
import SettledInputs
import SettledValues

extension Command {
  /// Explains a value or target.
  static let explain = Command(
    Verb(
      "explain", summary: "tell where it comes from",
      details: [
        "For a path: its value, where it was set, what it overrides, what reads it and when it "
          + "changed. For a target: its file, what it reads, why it last ran. A path goes before a "
          + "target of the same name."
      ],
      examples: [
        Example("settlectl explain http.port", "where it is set, and what follows from it"),
        Example("settlectl explain --target nginx", "why it last ran, and what it reads"),
        Example("settlectl explain -m settled.yaml listen", "without a daemon"),
      ],
      arguments: [Argument("NAME")],
      options: [.manifest, Option("target", summary: "NAME is a target"), .output, .json])
  ) { invocation, tool throws(ToolError) in
    let explanation = try explain(invocation, tool)
    let answer = Answer(
      text: { ExplanationText(explanation: explanation, now: .now, style: $0).text },
      value: .map(explanation.wire))
    try tool.show(answer, for: invocation)
    return .done
  }

  private static func explain(
    _ invocation: Invocation, _ tool: Tool
  ) throws(ToolError) -> Explanation {
    let name = invocation.arguments[0]
    let kind: Explanation.Kind? =
      invocation.has(Option("target", summary: "")) ? .target : nil
    guard let manifest = invocation.value(of: .manifest) else {
      let wire = try tool.ask { client throws(ControlClient.Fault) in
        try client.explain(name, as: kind?.rawValue)
      }
      guard let explanation = Explanation(wire: wire) else {
        throw ToolError(.refused, "the answer is not understood")
      }
      return explanation
    }
    let (preparation, explanation) = Preparation.explaining(
      name, as: kind, manifest: FilePaths.absolute(manifest))
    _ = try Pass(preparation).candidate(tool)
    do {
      if let explanation = try explanation.get() { return explanation }
    } catch {
      throw ToolError(.refused, "there is no '\(name)'", hint: error.diagnostics.first?.hint)
    }
    throw ToolError(.refused, "there is no '\(name)'")
  }
}
