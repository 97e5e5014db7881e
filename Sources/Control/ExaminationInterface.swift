import Varlink

/// The part of the interface that explains, draws, watches and measures.
extension Interface {
  static let examinationMethods = [
    Method(
      "Explain",
      "Explains a setting, derived value, fact or target; 'kind' tells which where a name is several.",
      input: [Field("name", .string), Field("kind", .optional(.named("Kind")))],
      output: [
        Field("version", .int), Field("kind", .named("Kind")), Field("name", .string),
        Field("description", .optional(.string)), Field("value", .optional(.object)),
        Field("place", .optional(.named("Place"))),
        Field("layers", .array(.named("Mention"))), Field("expression", .optional(.string)),
        Field("reads", .array(.string)), Field("readers", .array(.named("Reader"))),
        Field("file", .optional(.string)), Field("actions", .array(.string)),
        Field("state", .optional(.string)), Field("reason", .optional(.string)),
        Field("ran", .optional(.string)), Field("changed", .optional(.named("Change"))),
      ]),
    Method(
      "GetGraph", "Tells what is read by what: from settings through derived values to targets.",
      output: [
        Field("version", .int), Field("nodes", .array(.named("Node"))),
        Field("edges", .array(.named("Edge"))),
      ]),
    Method(
      "Watch",
      "Tells what holds at some paths, and every change of it; without paths every change. "
        + "With 'more'; else what holds now. Paths are for those who may see values.",
      input: [Field("paths", .optional(.array(.string)))],
      output: [
        Field("state", .named("State")), Field("generation", .int), Field("at", .string),
        Field("summary", .string), Field("changes", .array(.named("ValueChange"))),
        Field("cut", .bool),
      ]),
    Method(
      "Wait", "Replies when nothing is under way any more: 'settled', or 'degraded'.",
      output: [
        Field("state", .named("State")), Field("generation", .int), Field("summary", .string),
      ]),
    Method(
      "GetMetrics", "Gives counts and measures as OpenMetrics text.",
      output: [Field("text", .string)]),
  ]

  static let examinationTypes = [
    NamedType(
      "Kind", "What can be explained.", oneOf: ["setting", "derived", "fact", "target"]),
    NamedType(
      "Mention",
      "What a layer says of a path or of one above it; 'value' is null where it unsets it.",
      fields: [
        Field("origin", .string), Field("place", .named("Place")), Field("path", .string),
        Field("value", .optional(.object)), Field("in_force", .bool),
      ]),
    NamedType(
      "Reader", "What reads it, and through which derived values.",
      fields: [
        Field("kind", .named("Kind")), Field("name", .string),
        Field("through", .array(.string)),
      ]),
    NamedType(
      "Change",
      "The generation that changed it, and what made that; without 'is_change' it has not since then.",
      fields: [
        Field("generation", .int), Field("at", .string), Field("is_change", .bool),
        Field("cause", .optional(.named("Cause"))), Field("inputs", .array(.string)),
      ]),
    NamedType(
      "Node", "A setting, derived value or target.",
      fields: [Field("kind", .named("Kind")), Field("name", .string), Field("detail", .string)]),
    NamedType(
      "Edge", "That one is read by another; each as its kind, a blank and its name.",
      fields: [Field("from", .string), Field("to", .string)]),
    NamedType(
      "ValueChange", "A value that is not what it was; null where it is gone.",
      fields: [Field("path", .string), Field("value", .optional(.object))]),
  ]
}
