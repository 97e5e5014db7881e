import Generations
import Options
import SettledValues

extension Command {
  /// Prints the schema of the manifest.
  static let schema = Command(
    Verb(
      "schema", summary: "print the manifest's schema",
      details: [
        "JSON Schema 2020-12, for editors; every manifest is held against it. With --reference, what "
          + "each key of the manifest is for, to be read."
      ],
      examples: [
        Example("settlectl schema > settled.schema.json", "beside settled.yaml, for its modeline"),
        Example("settlectl schema --reference", "what may be written"),
      ],
      options: [.reference, .manual, .output, .json])
  ) { invocation, tool throws(ToolError) in
    let answer = Answer(text: { _ in ManifestSection.reference }, value: ManifestSchema.value)
    if invocation.has(.manual) {
      try tool.console.answer(Program.settlectl.manifestManual)
    } else if invocation.has(.reference) || invocation.has(.output) {
      try tool.show(answer, for: invocation)
    } else {
      try tool.showJSON(answer)
    }
    return .done
  }
}

extension Option {
  fileprivate static let reference = Option(
    "reference", summary: "what each key is for, to be read: --output=text")
}
