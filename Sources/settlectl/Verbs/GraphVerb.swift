import Control
import Generations
import Options
import SettledInputs
import SettledValues

extension Command {
  /// Draws what is read by what.
  static let graph = Command(
    Verb(
      "graph", summary: "draw what follows from what",
      details: [
        "From settings through derived values to targets. Settings that nothing reads are left out; "
          + "the entries that an 'each' goes through are one node."
      ],
      examples: [
        Example("settlectl graph | dot -Tsvg > graph.svg", "a picture, with Graphviz"),
        Example("settlectl graph --format mermaid", "for a page that draws Mermaid"),
        Example("settlectl graph -m settled.yaml", "without a daemon"),
      ],
      options: [.manifest, .format, .output, .json])
  ) { invocation, tool throws(ToolError) in
    let drawing = GraphDrawing(graph: try graph(invocation, tool))
    let answer = Answer(
      text: { _ in invocation.value(of: .format) == "mermaid" ? drawing.mermaid : drawing.dot },
      value: .map(drawing.graph.wire))
    if invocation.value(of: .format) == "json" {
      try tool.showJSON(answer)
    } else {
      try tool.show(answer, for: invocation)
    }
    return .done
  }

  private static func graph(
    _ invocation: Invocation, _ tool: Tool
  ) throws(ToolError) -> DependencyGraph {
    guard let manifest = invocation.value(of: .manifest) else {
      return DependencyGraph(
        wire: try tool.ask { client throws(ControlClient.Fault) in try client.graph() })
    }
    let (preparation, graph) = Preparation.drawing(manifest: FilePaths.absolute(manifest))
    _ = try Pass(preparation).candidate(tool)
    return graph ?? DependencyGraph(wire: [:])
  }
}

extension Option {
  fileprivate static let format = Option(
    "format", metavar: "FORMAT", values: .oneOf(["dot", "mermaid", "json"]),
    summary: "draw as dot (for Graphviz) or mermaid; json is --json")
}
