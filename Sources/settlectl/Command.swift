import Options

/// A verb and what it does.
struct Command: Sendable {
  /// Does the work of a verb.
  typealias Action = @Sendable (Invocation, Tool) throws(ToolError) -> ExitStatus

  let verb: Verb
  let action: Action

  init(_ verb: Verb, _ action: @escaping Action) {
    self.verb = verb
    self.action = action
  }

  /// All verbs, in the order the help lists them.
  static let all: [Command] = [
    .status, .show, .get, .explain, .eval, .check, .plan, .reload, .apply, .wait, .watch, .history,
    .graph, .metrics, .schema, .completion,
  ]
}

extension Program {
  /// The tool as its users see it.
  static let settlectl = Program(
    "settlectl", version: "0.1.0", summary: "ask and steer the settled daemon",
    examples: [
      Example("settlectl", "is everything settled?"),
      Example("settlectl get http.port", "one value, as the daemon sees it"),
      Example("settlectl reload", "read all inputs again, wait for the verdict"),
    ],
    verbs: Command.all.map(\.verb), defaultVerb: "status", options: [.socket],
    statuses: [
      Example("0", "done, or settled"), Example("1", "refused, failed or degraded"),
      Example("2", "the arguments were not understood"),
      Example("3", "settled does not run, or was lost before the verdict"),
      Example("4", "not permitted"),
    ],
    environment: [
      Example("SETTLED_SOCKET", "the daemon's socket, where --socket is not given"),
      Example("NO_COLOR", "when not empty, no colours"),
    ])
}
