import Control
import Options

extension Command {
  /// Shows what the daemon counts and measures.
  static let metrics = Command(
    Verb(
      "metrics", summary: "show counts for monitoring",
      details: [
        "In the text format of OpenMetrics, or in the older one of Prometheus, which node_exporter's "
          + "textfile collector reads."
      ],
      examples: [
        Example("settlectl metrics", "what there is"),
        Example("settlectl metrics --format prometheus > DIR/settled.prom", "for node_exporter"),
        Example("settlectl metrics --json", "for other programs"),
      ], options: [.format, .output, .json])
  ) { invocation, tool throws(ToolError) in
    let text = try tool.ask { client throws(ControlClient.Fault) in try client.metrics() }
    let families = MetricFamilies(reading: text)
    let isOld = invocation.value(of: .format) == "prometheus"
    let answer = Answer(
      text: { _ in isOld ? families.prometheusText : text }, value: families.value)
    try tool.show(answer, for: invocation)
    return .done
  }
}

extension Option {
  fileprivate static let format = Option(
    "format", metavar: "FORMAT", values: .oneOf(["openmetrics", "prometheus"]),
    summary: "the text as openmetrics or prometheus")
}
