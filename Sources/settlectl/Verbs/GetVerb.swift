import Control
import Options
import SettledValues

extension Command {
  /// Shows one value.
  static let get = Command(
    Verb(
      "get", summary: "show one value",
      details: ["PATH is spelled as in an expression. Maps and lists are shown as YAML."],
      examples: [
        Example("settlectl get http.port", "a setting"),
        Example("settlectl get 'settings[\"my-app\"].port'", "one whose name needs quotes"),
        Example("settlectl get http --json", "a part of the settings, for programs"),
      ],
      arguments: [Argument("PATH")], options: [.output, .json])
  ) { invocation, tool throws(ToolError) in
    let path = invocation.arguments[0]
    let value = try tool.ask { client throws(ControlClient.Fault) in try client.value(at: path) }
    try tool.show(Answer(text: { value.shown(in: $0) }, value: value), for: invocation)
    return .done
  }
}

extension Value {
  /// The value for people: text as it is, maps and lists as YAML.
  func shown(in style: Style) -> String {
    if let text { return style.shown(text) + "\n" }
    let yaml = (try? Format.yaml.write(self)) ?? []
    return style.shown(String(decoding: yaml, as: UTF8.self))
  }
}
