/// The completion script for bash.
struct BashCompletion {
  let program: Program

  var script: String {
    let function = program.completionFunction
    return """
      # bash completion for \(program.name)
      \(function)() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb= word
        # "=" is a word of its own here
        [ "$current" = = ] && current=
        [ "$previous" = = ] && previous=${COMP_WORDS[COMP_CWORD-2]}
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          case $word in
            \(program.allVerbs.map(\.name).joined(separator: "|"))) verb=$word; break ;;
          esac
        done
        case $verb:$previous in
      \(lines(valueCases))
        esac
        case $verb in
      \(lines(verbCases))
        esac
      }
      complete -F \(function) \(program.name)

      """
  }

  private var valueCases: [String] {
    let shared = options.filter { $0.metavar != nil && !isAmbiguous($0) }.map { option in
      valueCase(option, of: "*")
    }
    return shared
      + program.allVerbs.flatMap { verb in
        verb.options.filter(isAmbiguous).map { valueCase($0, of: verb.name) }
      }
  }

  private func valueCase(_ option: Option, of verb: String) -> String {
    let patterns = option.spellings.map { "\(verb):\($0)" }
    return "\(patterns.joined(separator: "|"))) \(reply(option.values, and: [])); return ;;"
  }

  /// Whether verbs have an option of this name that take different values.
  private func isAmbiguous(_ option: Option) -> Bool {
    program.allVerbs.flatMap(\.options).contains {
      $0.name == option.name && $0.values != option.values
    }
  }

  private var verbCases: [String] {
    let start = program.options(of: nil).flatMap(\.spellings) + program.allVerbs.map(\.name)
    return ["'') \(reply(.oneOf(start), and: [])) ;;"]
      + program.allVerbs.map { verb in
        let spellings = program.options(of: verb).flatMap(\.spellings)
        let values = verb.name == Verb.help.name ? verbs : verb.arguments.first?.values ?? .any
        return "\(verb.name)) \(reply(values, and: spellings)) ;;"
      }
  }

  private var verbs: Values { .oneOf(program.allVerbs.map(\.name)) }

  /// Every option, once.
  private var options: [Option] {
    var options = program.options(of: nil)
    for option in program.allVerbs.flatMap(\.options)
    where !options.contains(where: { $0.name == option.name }) {
      options.append(option)
    }
    return options
  }

  private func reply(_ values: Values, and words: [String]) -> String {
    var words = words
    var actions = ""
    switch values {
    case .any: break
    case .oneOf(let names): words += names
    case .file: actions = "-f "
    case .directory: actions = "-d "
    }
    let list = words.isEmpty ? "" : "-W '\(words.joined(separator: " "))' "
    if actions.isEmpty, list.isEmpty { return ":" }
    let isPath = actions.isEmpty ? "" : "compopt -o filenames; "
    return "\(isPath)mapfile -t COMPREPLY < <(compgen \(actions)\(list)-- \"$current\")"
  }

  private func lines(_ cases: [String]) -> String {
    cases.map { "    " + $0 }.joined(separator: "\n")
  }
}
