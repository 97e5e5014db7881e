import SettledValues

extension Program {
  /// Reads arguments, without the program's own name, by the rules of GNU programs: options
  /// anywhere, `--` before what only looks like one, `--name=value`, `-qo value`.
  ///
  /// Names are never abbreviated: what is unique today would not be tomorrow.
  public func parse(_ arguments: some Sequence<String>) throws(UsageError) -> Request {
    var parser = Parser(program: self, rest: Array(arguments)[...])
    return try parser.parse()
  }
}

/// The state of reading arguments.
private struct Parser {
  let program: Program
  var rest: ArraySlice<String>
  var verb: Verb?
  var arguments: [String] = []
  var given: [(option: Option, spelling: String, value: String)] = []

  mutating func parse() throws(UsageError) -> Request {
    try readAll()
    if verb?.name == Verb.help.name {
      if has(.manual) { return .manual }
      guard arguments.count < 2 else { throw error("'help' takes one VERB") }
      if let name = arguments.first { _ = try findVerb(name) }
      return .help(arguments.first)
    }
    if has(.help) { return .help(verb?.name) }
    if has(.version) { return .version }
    if program.verbs.isEmpty, has(.manual) { return .manual }
    if verb == nil { verb = program.defaultVerb.flatMap(program.verb) }
    guard verb != nil || program.verbs.isEmpty else { throw error("a verb is missing") }
    try checkOptions()
    try checkArguments()
    return .run(invocation)
  }

  private var invocation: Invocation {
    let values = Dictionary(grouping: given) { $0.option.name }
    return Invocation(
      verb: verb?.name ?? "", arguments: arguments,
      values: values.mapValues { $0.map(\.value) })
  }

  private mutating func readAll() throws(UsageError) {
    var optionsEnded = false
    while let word = rest.popFirst() {
      if optionsEnded || word == "-" || !word.utf8.starts(with: "-".utf8) {
        try take(word)
      } else if word == "--" {
        optionsEnded = true
      } else if word.utf8.starts(with: "--".utf8) {
        try readLong(word.dropFirst(2))
      } else {
        try readShort(word.dropFirst())
      }
    }
  }

  private mutating func take(_ word: String) throws(UsageError) {
    if verb == nil, !program.verbs.isEmpty {
      verb = try findVerb(word)
    } else {
      arguments.append(word)
    }
  }

  private mutating func readLong(_ word: Substring) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = known.first(where: { $0.name.hasSameBytes(as: name) }) else {
      let meant = name.closest(among: usableNames).map { "--\($0)" }
      throw error("unknown option '--\(name)'", meant: meant)
    }
    guard option.metavar != nil || parts.count == 1 else {
      throw error("option '--\(name)' takes no value")
    }
    try add(option, as: "--\(name)", attached: parts.count == 2 ? String(parts[1]) : nil)
  }

  /// Reads letters in one word, of which the last may have a value, in the word or after it.
  private mutating func readShort(_ word: Substring) throws(UsageError) {
    var letters = word
    while let letter = letters.popFirst() {
      guard let option = known.first(where: { $0.letter == letter }) else {
        throw error("unknown option '-\(letter)'")
      }
      let attached = option.metavar == nil || letters.isEmpty ? nil : String(letters)
      try add(option, as: "-\(letter)", attached: attached)
      if attached != nil { return }
    }
  }

  private mutating func add(
    _ option: Option, as spelling: String, attached: String?
  ) throws(UsageError) {
    guard let metavar = option.metavar else { return given.append((option, spelling, "")) }
    guard let value = attached ?? rest.popFirst() else {
      throw error("option '\(spelling)' needs a \(metavar)")
    }
    given.append((option, spelling, value))
  }

  /// Holds the options against those of the verb: another verb's of the same name may take other
  /// values.
  private func checkOptions() throws(UsageError) {
    let usable = program.options(of: verb)
    for (option, spelling, value) in given {
      guard let own = usable.first(where: { $0.name == option.name }) else {
        throw error("'\(verb?.name ?? program.name)' has no option '--\(option.name)'")
      }
      guard case .oneOf(let words) = own.values, !words.contains(where: value.hasSameBytes) else {
        continue
      }
      let message = "option '\(spelling)' must be \(alternatives(words)), not '\(value)'"
      throw error(message, meant: value.closest(among: words))
    }
  }

  private func checkArguments() throws(UsageError) {
    let wanted = verb?.arguments ?? []
    let name = verb?.name ?? program.name
    let required = wanted.prefix { $0.count == .one }
    guard arguments.count >= required.count else {
      throw error("'\(name)' needs a \(required[arguments.count].metavar)")
    }
    guard wanted.last?.count != .any, arguments.count > wanted.count else { return }
    let surplus = arguments[wanted.count]
    let reason = wanted.isEmpty ? "takes no argument" : "takes no further argument"
    throw error("'\(name)' \(reason): '\(surplus)'")
  }

  private func findVerb(_ name: String) throws(UsageError) -> Verb {
    if let verb = program.verb(name) { return verb }
    throw error(
      "unknown verb '\(name)'", meant: name.closest(among: program.allVerbs.map(\.name)))
  }

  private func has(_ option: Option) -> Bool { given.contains { $0.option.name == option.name } }

  /// Every option of any verb, as one may stand before the verb it belongs to; first the verb's own.
  private var known: [Option] {
    (verb?.options ?? []) + program.options(of: nil) + program.allVerbs.flatMap(\.options)
  }

  private var usableNames: [String] {
    (verb == nil ? known : program.options(of: verb)).map(\.name)
  }

  private func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  private func error(_ message: String, meant: String? = nil) -> UsageError {
    let question = meant.map { "; did you mean '\($0)'?" } ?? ""
    let topic = verb.map { $0.name == Verb.help.name ? "" : " \($0.name)" } ?? ""
    return UsageError(
      message: message + question, hint: "Try '\(program.name)\(topic) --help'")
  }
}
