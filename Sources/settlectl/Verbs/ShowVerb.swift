import Control
import Options
import SettledValues

extension Command {
  /// Shows all values.
  static let show = Command(
    Verb(
      "show", summary: "show all values",
      details: ["The values are those of the generation in force; secrets are masked."],
      examples: [
        Example("settlectl show", "as YAML"),
        Example("settlectl show --json | jq .derived", "for programs"),
      ],
      options: [.output, .json])
  ) { invocation, tool throws(ToolError) in
    let values = try tool.ask { client throws(ControlClient.Fault) in try client.values() }
    let answer = Answer(
      text: { style in
        let all: Value = ["settings": values.settings, "derived": values.derived]
        return all.shown(in: style)
      },
      value: ["version": 1, "settings": values.settings, "derived": values.derived])
    try tool.show(answer, for: invocation)
    return .done
  }
}
