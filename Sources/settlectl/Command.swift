import Control
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
    "settlectl", version: Release.version, date: Release.date,
    summary: "ask and steer the settled daemon",
    details: [
      "Asks the daemon settled(8) over its control socket, or makes the same pass over a manifest "
        + "itself, without a daemon: check, plan, eval, explain and graph can do that.",
      "Anyone may ask for the status. Values and orders are for root, the daemon's own user and the "
        + "members of the group settled. Answers go to the standard output, all else to the standard "
        + "error. What settled holds secret is shown as (secret), to everyone.",
    ],
    examples: [
      Example("settlectl", "is everything settled?"),
      Example("settlectl check && settlectl reload", "look, then read all inputs again"),
    ],
    verbs: Command.all.map(\.verb), defaultVerb: "status", options: [.noPager, .socket],
    statuses: [
      Example("0", "done, or settled"), Example("1", "refused, failed or degraded"),
      Example("2", "the arguments were not understood"),
      Example("3", "settled does not run, or was lost before the verdict"),
      Example("4", "not permitted"),
    ],
    environment: [
      Example("SETTLED_SOCKET", "the daemon's socket, where --socket is not given"),
      Example(
        "SETTLED_PAGER, PAGER",
        "what shows answers that are longer than the terminal, where that is not less(1); with an "
          + "empty text or 'cat' nothing does"),
      Example("LESS", "the options of less(1), where they are not FRX"),
      Example("NO_COLOR", "when not empty, no colours"),
    ],
    sections: [
      ManualSection(
        "FILES",
        rows: [
          Example("/run/settled/io.settled", "the socket of the system's daemon"),
          Example(
            "$XDG_RUNTIME_DIR/settled/io.settled", "that of the user's own, where there is one"),
        ]),
      ManualSection(
        "NOTES",
        [
          "With --json an answer is one object whose version is 1; fields are only added to it. Times "
            + "are as in RFC 3339, durations in seconds. The socket speaks Varlink (varlink.org), so "
            + "that varlinkctl(1) can ask what settlectl asks: see the interface io.settled."
        ]),
      ManualSection("SEE ALSO", ["settled(8), settled.yaml(5), varlinkctl(1)"]),
    ])
}
