import Generations
import SettledValues

/// A graph as programs that draw read it.
struct GraphDrawing {
  /// How much of an expression or file is shown.
  private static let detailLength = 44

  let graph: DependencyGraph

  /// The graph in the language of Graphviz.
  var dot: String {
    var lines = ["digraph settled {"]
    lines += [
      "  rankdir=LR; ranksep=0.6; nodesep=0.15",
      "  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", fontsize=11,",
      "    color=\"#666666\", fillcolor=\"#ffffff\", height=0.3, margin=\"0.12,0.05\"]",
      "  edge [color=\"#888888\", arrowsize=0.6]",
    ]
    for node in graph.nodes {
      var label = Self.quoted(node.name)
      if let detail = Self.short(node.detail) { label += "\\n" + Self.quoted(detail) }
      lines.append("  \"\(Self.quoted(node.identity))\" [label=\"\(label)\", \(Self.look(node))]")
    }
    for kind in [Explanation.Kind.setting, .target] {
      let same = graph.nodes.filter { $0.kind == kind }.map { "\"\(Self.quoted($0.identity))\"" }
      if !same.isEmpty { lines.append("  {rank=same; \(same.joined(separator: "; "))}") }
    }
    lines += graph.edges.map { "  \"\(Self.quoted($0.from))\" -> \"\(Self.quoted($0.to))\"" }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  /// The graph in the language of Mermaid.
  var mermaid: String {
    var lines = ["flowchart LR"]
    var names: [String: String] = [:]
    for (position, node) in graph.nodes.enumerated() {
      let name = "n\(position)"
      names[node.identity] = name
      var label = Self.marked(node.name)
      if let detail = Self.short(node.detail) { label += "<br>" + Self.marked(detail) }
      switch node.kind {
      case .setting, .fact: lines.append("  \(name)[\"\(label)\"]")
      case .derived: lines.append("  \(name)([\"\(label)\"])")
      case .target: lines.append("  \(name)[[\"\(label)\"]]")
      }
    }
    for edge in graph.edges {
      guard let from = names[edge.from], let to = names[edge.to] else { continue }
      lines.append("  \(from) --> \(to)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func look(_ node: DependencyGraph.Node) -> String {
    switch node.kind {
    case .setting, .fact: "fillcolor=\"#f2f2f2\""
    case .derived: "fillcolor=\"#dcebfa\""
    case .target: "fillcolor=\"#dff2d8\", style=filled"
    }
  }

  private static func short(_ detail: String) -> String? {
    let line = detail.split { $0.isWhitespace }.joined(separator: " ")
    guard !line.isEmpty else { return nil }
    return line.count > detailLength ? line.prefix(detailLength - 3) + "..." : line
  }

  private static func quoted(_ text: String) -> String {
    text.printable.replacingBytes(of: "\\", with: "\\\\").replacingBytes(of: "\"", with: "\\\"")
  }

  private static func marked(_ text: String) -> String {
    text.printable.replacingBytes(of: "&", with: "&amp;").replacingBytes(of: "\"", with: "&quot;")
      .replacingBytes(of: "<", with: "&lt;")
  }
}
