import Options

extension Command {
  /// Prints the completion script of a shell.
  static let completion = Command(
    Verb(
      "completion", summary: "print a completion script",
      examples: [
        Example("settlectl completion bash > settlectl", "for bash-completion's folder"),
        Example("settlectl completion zsh > _settlectl", "for a folder in fpath"),
      ],
      arguments: [Argument("SHELL", values: .oneOf(Shell.allCases.map(\.rawValue)))])
  ) { invocation, tool throws(ToolError) in
    guard let shell = Shell(rawValue: invocation.arguments[0]) else {
      throw ToolError(.usage, "SHELL must be bash, zsh or fish")
    }
    try tool.console.answer(Program.settlectl.completion(for: shell))
    return .done
  }
}
