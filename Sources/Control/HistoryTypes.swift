import Varlink

extension Interface {
  /// The types of the history.
  static let historyTypes = [
    NamedType(
      "Cause", "Why a pass was made.", oneOf: HistoryEntry.Cause.allCases.map(\.rawValue)),
    NamedType(
      "ActOutcome", "How an action ended.",
      oneOf: HistoryEntry.Act.Outcome.allCases.map(\.rawValue)),
    NamedType(
      "Entry",
      "What a pass did; 'duration' in seconds; 'cut' tells that there was more than is listed.",
      fields: [
        Field("generation", .int), Field("at", .string), Field("cause", .named("Cause")),
        Field("outcome", .named("Outcome")), Field("duration", .float),
        Field("paths", .array(.string)), Field("derived", .array(.string)),
        Field("inputs", .array(.string)),
        Field("steps", .array(.named("Step"))), Field("actions", .array(.named("Act"))),
        Field("findings", .array(.string)), Field("cut", .bool),
      ]),
    NamedType(
      "Step",
      "What became of a file: 'change' is create, replace, attributes, remove or drift.",
      fields: [
        Field("target", .string), Field("file", .string), Field("change", .string),
        Field("reason", .string),
      ]),
    NamedType(
      "Act", "What became of an action, and why.",
      fields: [
        Field("action", .string), Field("targets", .array(.string)),
        Field("outcome", .named("ActOutcome")), Field("reason", .string),
      ]),
  ]
}
