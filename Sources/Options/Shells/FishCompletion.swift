/// The completion script for fish.
struct FishCompletion {
  let program: Program

  var script: String {
    let start = line("", "-f")
    let verbs = program.allVerbs.map {
      line("__fish_use_subcommand", "-a \($0.name) -d \($0.summary.singleQuoted)")
    }
    let general = program.options(of: nil).map { line("", words(for: $0)) }
    let special = program.allVerbs.flatMap { verb in
      let condition = "__fish_seen_subcommand_from \(verb.name)"
      let arguments = verb.name == Verb.help.name ? names : argumentWords(verb)
      return verb.options.map { line(condition, words(for: $0)) }
        + (arguments.map { [line(condition, $0)] } ?? [])
    }
    let lines = ["# fish completion for \(program.name)", start] + verbs + general + special
    return lines.joined(separator: "\n") + "\n"
  }

  private var names: String? {
    "-a \(program.allVerbs.map(\.name).joined(separator: " ").singleQuoted)"
  }

  private func argumentWords(_ verb: Verb) -> String? {
    switch verb.arguments.first?.values ?? .any {
    case .any: nil
    case .file: "-F"
    case .directory: "-a '(__fish_complete_directories)'"
    case .oneOf(let words): "-a \(words.joined(separator: " ").singleQuoted)"
    }
  }

  private func line(_ condition: String, _ words: String) -> String {
    let condition = condition.isEmpty ? "" : "-n \(condition.singleQuoted) "
    return "complete -c \(program.name) \(condition)\(words)"
  }

  private func words(for option: Option) -> String {
    let short = option.letter.map { "-s \($0) " } ?? ""
    let value =
      switch (option.metavar, option.values) {
      case (nil, _): ""
      case (_, .any): "-x "
      case (_, .file): "-r -F "
      case (_, .directory): "-x -a '(__fish_complete_directories)' "
      case (_, .oneOf(let words)): "-x -a \(words.joined(separator: " ").singleQuoted) "
      }
    return "\(short)-l \(option.name) \(value)-d \(option.summary.singleQuoted)"
  }
}
