public import Varlink

extension Interface {
  /// The name of the interface between the daemon and those who ask it.
  public static let settledName = "io.settled"

  /// The interface between the daemon and those who ask it.
  public static let settled = Interface(
    settledName,
    """
    What a settled daemon tells and does.
    Anyone may ask for the status, without what its findings quote. All else is for root, the
    daemon's own user and members of the group 'settled'.
    """,
    types: types + examinationTypes, methods: methods + examinationMethods,
    errors: [
      Failure(
        "NotFound", "There is no such setting or derived value.",
        fields: [Field("path", .string), Field("hint", .optional(.string))]),
      Failure("NotReady", "No generation is in force yet."),
      Failure(
        "Failed", "The answer could not be found, for this reason.",
        fields: [Field("message", .string)]),
    ])

  private static let methods = [
    Method(
      "GetStatus", "Tells how the daemon and its targets are; 'version' counts this reply's form.",
      output: [
        Field("version", .int), Field("state", .named("State")), Field("generation", .int),
        Field("since", .string), Field("summary", .string),
        Field("last_reload", .optional(.named("Verdict"))),
        Field("targets", .array(.named("Target"))), Field("inputs", .int),
        Field("warnings", .array(.string)), Field("next_try", .optional(.string)),
      ]),
    Method(
      "Get", "Gives one setting or derived value by its path, spelled as in an expression.",
      input: [Field("path", .string)], output: [Field("value", .object)]),
    Method(
      "Evaluate",
      "Evaluates an expression; 'reads' tells what it read.",
      input: [Field("expression", .string)],
      output: [Field("value", .object), Field("reads", .array(.string))]),
    Method(
      "Show", "Gives all settings and derived values of the generation in force.",
      output: [Field("settings", .object), Field("derived", .object)]),
    Method(
      "Reload", "Reads all inputs again, and replies when the verdict is there.",
      output: [
        Field("generation", .int), Field("outcome", .named("Outcome")), Field("at", .string),
        Field("diagnostics", .array(.named("Finding"))),
      ]),
    Method(
      "Apply",
      "Puts a target of the generation in force into place again, or all, and reads no input.",
      input: [Field("target", .optional(.string))],
      output: [
        Field("generation", .int), Field("outcome", .named("Outcome")), Field("at", .string),
        Field("diagnostics", .array(.named("Finding"))),
      ]),
    Method(
      "Plan", "Tells what a reload would do; 'plan' is what settlectl plan --json prints.",
      output: [
        Field("refused", .bool), Field("changes", .bool), Field("text", .string),
        Field("plan", .object), Field("diagnostics", .array(.named("Finding"))),
      ]),
    Method(
      "GetHistory", "Gives the last passes that did something or were refused, the newest last.",
      input: [Field("last", .optional(.int))],
      output: [Field("version", .int), Field("entries", .array(.named("Entry")))]),
  ]

  private static let types =
    historyTypes + [
      NamedType("State", "How the daemon is.", oneOf: Status.State.allCases.map(\.rawValue)),
      NamedType(
        "Outcome", "What became of a reload.", oneOf: Verdict.Outcome.allCases.map(\.rawValue)),
      NamedType(
        "TargetState", "How a target is.", oneOf: Status.Target.State.allCases.map(\.rawValue)),
      NamedType(
        "Verdict", "What became of a reload; 'generation' is the one in force afterwards.",
        fields: [
          Field("generation", .int), Field("outcome", .named("Outcome")), Field("at", .string),
          Field("diagnostics", .array(.named("Finding"))),
        ]),
      NamedType(
        "Target", "A target; 'file' is null where it only follows a value.",
        fields: [
          Field("name", .string), Field("file", .optional(.string)),
          Field("state", .named("TargetState")), Field("reason", .optional(.string)),
        ]),
      NamedType(
        "Finding", "One finding; lines and columns count from 1.",
        fields: [
          Field("severity", .named("Severity")), Field("message", .string),
          Field("place", .optional(.named("Place"))),
          Field("excerpt", .optional(.named("Excerpt"))),
          Field("hint", .optional(.string)), Field("notes", .array(.named("Note"))),
        ]),
      NamedType("Severity", "How grave a finding is.", oneOf: ["error", "warning"]),
      NamedType(
        "Place", "A position in a file; without 'column' a line, without 'line' the file.",
        fields: [
          Field("file", .string), Field("line", .optional(.int)), Field("column", .optional(.int)),
        ]),
      NamedType(
        "Excerpt", "The line of a place, and how many characters of it are meant.",
        fields: [Field("line", .string), Field("length", .int)]),
      NamedType(
        "Note", "A second place that belongs to a finding.",
        fields: [Field("place", .named("Place")), Field("message", .string)]),
    ]
}
