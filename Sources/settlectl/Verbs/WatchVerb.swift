import Control
import Options
import SettledValues

extension Command {
  /// Tells of changes as they happen.
  static let watch = Command(
    Verb(
      "watch", summary: "tell of changes",
      details: [
        "With PATHs: their values, and each new one. Without: every change of a setting or derived "
          + "value, and of the state. With --json a line each, with -o yaml a document. Ends with Ctrl-C."
      ],
      examples: [
        Example("settlectl watch", "what happens?"),
        Example("settlectl watch http.port listen", "two values, now and whenever they change"),
        Example("settlectl watch --json | jq .state", "for programs"),
      ],
      arguments: [Argument("PATH", .any)], options: [.output, .json])
  ) { invocation, tool throws(ToolError) in
    let output = tool.console.output
    var failure: ToolError?
    try tool.ask { client throws(ControlClient.Fault) in
      try client.watch(invocation.arguments, for: output.descriptor) { wire in
        do throws(ToolError) {
          return try tool.console.tell(try shown(wire, for: invocation, style: output.style))
        } catch {
          failure = error
          return false
        }
      }
    }
    if let failure { throw failure }
    return .done
  }

  /// An event in the form that was asked for: others follow, so that each has its bounds.
  private static func shown(
    _ wire: Value, for invocation: Invocation, style: Style
  ) throws(ToolError) -> String {
    var value = wire
    if case .map(var map) = wire {
      map["version"] = 1
      value = .map(map)
    }
    do throws(FormatError) {
      switch invocation.form {
      case .json:
        var bytes: [UInt8] = []
        try JSON.write(value, into: &bytes)
        return style.shownJSON(String(decoding: bytes, as: UTF8.self) + "\n")
      case .yaml:
        let document = String(decoding: try Format.yaml.write(value), as: UTF8.self)
        return style.shown("---\n" + document)
      case .text: break
      }
    } catch {
      throw ToolError(.refused, error.description)
    }
    return try WatchEvent(shown: wire).text(style)
  }
}

extension WatchEvent {
  fileprivate init(shown wire: Value) throws(ToolError) {
    do {
      self = try WatchEvent(wire: wire)
    } catch {
      throw ToolError(.refused, "the answer is not understood: \(error)")
    }
  }

  /// The event in lines for people.
  fileprivate func text(_ style: Style) -> String {
    let time = Timestamp(seconds: at.seconds)
    let head = "\(time) \(state.rawValue), generation \(generation)"
    let lines = changes.map { change in
      let value = change.value.map { $0.shown(in: style) } ?? "not set\n"
      let isLong = value.dropLast().contains("\n")
      return "  \(change.path.printable) =" + (isLong ? "\n" : " ") + value
    }
    return head + "\n" + lines.joined() + (isCut ? "  and more\n" : "")
  }
}
