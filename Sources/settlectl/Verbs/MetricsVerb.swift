import Control
import Options

extension Command {
  /// Shows what the daemon counts and measures.
  static let metrics = Command(
    Verb(
      "metrics", summary: "show counts for monitoring",
      details: ["In the text format of OpenMetrics, which Prometheus reads."],
      examples: [
        Example("settlectl metrics", "what there is"),
        Example("settlectl metrics > /var/lib/node-exporter/settled.prom", "for node_exporter"),
      ])
  ) { invocation, tool throws(ToolError) in
    try tool.console.answer(
      try tool.ask { client throws(ControlClient.Fault) in try client.metrics() })
    return .done
  }
}
