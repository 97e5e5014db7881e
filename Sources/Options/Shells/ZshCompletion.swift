/// The completion script for zsh.
struct ZshCompletion {
  let program: Program

  var script: String {
    let function = program.completionFunction
    let verbs = program.allVerbs.map { "\($0.name):\($0.summary)".singleQuoted }
    return """
      #compdef \(program.name)
      \(function)() {
        local state line
        local -a verbs=(
      \(verbs.map { "    " + $0 }.joined(separator: "\n"))
        )
        _arguments -C -S \(specifications(of: nil)) '1:verb:->verb' '*::argument:->argument'
        case $state in
          verb) _describe verb verbs ;;
          argument)
            case $line[1] in
      \(program.allVerbs.map { "        " + verbCase($0) }.joined(separator: "\n"))
            esac ;;
        esac
      }
      \(function) "$@"

      """
  }

  private func verbCase(_ verb: Verb) -> String {
    let arguments = verb.arguments.map { argument in
      let action = verb.name == Verb.help.name ? "_describe verb verbs" : action(argument.values)
      let count =
        switch argument.count {
        case .one: ""
        case .optional: ":"
        case .any: "*"
        }
      return "\(count):\(argument.metavar):\(action)".singleQuoted
    }
    let words = [specifications(of: verb)] + arguments
    return "\(verb.name)) _arguments -S \(words.joined(separator: " ")) ;;"
  }

  private func specifications(of verb: Verb?) -> String {
    program.options(of: verb).flatMap { option in
      option.spellings.map { spelling in
        let isLong = spelling.utf8.starts(with: "--".utf8)
        let value = option.metavar.map { ":\($0):\(action(option.values))" } ?? ""
        let mark = option.metavar == nil ? "" : isLong ? "=" : "+"
        let others = "(\(option.spellings.joined(separator: " ")))"
        return "\(others)\(spelling)\(mark)[\(escaped(option.summary))]\(value)".singleQuoted
      }
    }.joined(separator: " ")
  }

  private func action(_ values: Values) -> String {
    switch values {
    case .any: " "
    case .file: "_files"
    case .directory: "_files -/"
    case .oneOf(let words): "(\(words.joined(separator: " ")))"
    }
  }

  private func escaped(_ text: String) -> String {
    text.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
