/// A shell that completes the words of a command.
public enum Shell: String, Sendable, CaseIterable {
  /// GNU bash.
  case bash
  /// zsh.
  case zsh
  /// fish.
  case fish
}

extension Program {
  /// The script that makes a shell complete the program's verbs, options and their values.
  public func completion(for shell: Shell) -> String {
    switch shell {
    case .bash: BashCompletion(program: self).script
    case .zsh: ZshCompletion(program: self).script
    case .fish: FishCompletion(program: self).script
    }
  }

  /// The name of the function that completes, where a shell wants one.
  var completionFunction: String {
    "_" + String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }
}

extension Option {
  /// The spellings of the option: `-o`, `--output`.
  var spellings: [String] { (letter.map { ["-\($0)"] } ?? []) + ["--\(name)"] }
}

extension String {
  /// The text as a word of a shell, in single quotes.
  var singleQuoted: String {
    "'"
      + unicodeScalars.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
      .joined(separator: "'\\''") + "'"
  }
}
