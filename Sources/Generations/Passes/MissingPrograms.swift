import SettledObserving
import SettledValues
import SettledYAML
import Targets
import Templates

extension Planner {
  /// Tells of commands whose program is not there: a warning, since an earlier action may install it.
  mutating func tellMissingPrograms() {
    let search = ProgramSearch(from: program.destinations.base)
    var known: [String: Diagnostic?] = [:]
    for rule in program.manifest.targets {
      for command in rule.commands {
        guard let program = command.program, let node = command.node.elements.first else {
          continue
        }
        let fault = known[program] ?? search.fault(of: program).map { Diagnostic(.warning, $0) }
        known[program] = fault
        guard let fault else { continue }
        var warning = node.fault(
          "target '\(rule.name)': \(fault.message)", hint: Self.hint(for: program, search))
        warning.severity = .warning
        warnings.append(warning)
      }
    }
  }

  private static func hint(for program: String, _ search: ProgramSearch) -> String {
    let meant = program.containsBytes("/") ? nil : program.closest(among: search.names())
    return meant.map { "did you mean '\($0)'?" } ?? "install it, or correct the name"
  }
}

extension TargetRule {
  /// All its commands.
  fileprivate var commands: [CommandRule] {
    let actions = actions.compactMap { action in
      if case .run(let command) = action { command } else { nil }
    }
    return [file?.check, file?.verify].compactMap { $0 } + actions
  }
}

extension CommandRule {
  /// The program, where its name depends on nothing.
  fileprivate var program: String? {
    guard let pieces = arguments.first?.pieces, pieces.count == 1, case .text(let text) = pieces[0]
    else { return nil }
    return text
  }
}
