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
      options: [.manifest, .format, Option("json", summary: "same as --format=json")])
  ) { invocation, tool throws(ToolError) in
    let drawing = GraphDrawing(graph: try graph(invocation, tool))
    switch invocation.has(.json) ? "json" : invocation.value(of: .format) ?? "dot" {
    case "json": try tool.showJSON(drawing.answer)
    case "mermaid": try tool.console.answer(drawing.mermaid)
    default: try tool.console.answer(drawing.dot)
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
    summary: "draw as dot (for Graphviz), mermaid or json")
}
