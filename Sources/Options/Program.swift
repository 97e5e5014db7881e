/// A program as its users see it: verbs, options, and what is said about them.
///
/// One such table makes the parser, the help, the manual page and the completion of shells.
public struct Program: Sendable {
  /// Its name.
  public var name: String
  /// Its version.
  public var version: String
  /// The day of that version, as ISO 8601 writes it.
  public var date: String
  /// What it does, in a few words.
  public var summary: String
  /// What else is to be said, in paragraphs, for the manual page.
  public var details: [String]
  /// How it is used, first in the help.
  public var examples: [Example]
  /// What it can be told to do; none for a program that does one thing.
  public var verbs: [Verb]
  /// The verb that is meant where none is given.
  public var defaultVerb: String?
  /// The options that go with every verb, besides `--help` and `--version`.
  public var options: [Option]
  /// What its exit statuses mean.
  public var statuses: [Example]
  /// The environment variables it reads.
  public var environment: [Example]
  /// Further sections of the manual page.
  public var sections: [ManualSection]

  /// Creates a program.
  public init(
    _ name: String, version: String, date: String = "", summary: String, details: [String] = [],
    examples: [Example] = [], verbs: [Verb] = [], defaultVerb: String? = nil,
    options: [Option] = [], statuses: [Example] = [], environment: [Example] = [],
    sections: [ManualSection] = []
  ) {
    self.name = name
    self.version = version
    self.date = date
    self.summary = summary
    self.details = details
    self.examples = examples
    self.verbs = verbs
    self.defaultVerb = defaultVerb
    self.options = options
    self.statuses = statuses
    self.environment = environment
    self.sections = sections
  }
}

/// A section of a manual page.
public struct ManualSection: Sendable {
  /// Its title, in capitals.
  public var title: String
  /// What it says, in paragraphs.
  public var paragraphs: [String]
  /// What is listed after that.
  public var rows: [Example]
  /// Lines that are shown as they are, after that.
  public var lines: [String]

  /// Creates a section.
  public init(
    _ title: String, _ paragraphs: [String] = [], rows: [Example] = [], lines: [String] = []
  ) {
    self.title = title
    self.paragraphs = paragraphs
    self.rows = rows
    self.lines = lines
  }
}

/// Something a program can be told to do.
public struct Verb: Sendable {
  /// Its name.
  public var name: String
  /// What it does, in a few words.
  public var summary: String
  /// What else is to be said, in paragraphs.
  public var details: [String]
  /// How it is used.
  public var examples: [Example]
  /// What is given after it.
  public var arguments: [Argument]
  /// The options that go with it alone.
  public var options: [Option]

  /// Creates a verb.
  public init(
    _ name: String, summary: String, details: [String] = [], examples: [Example] = [],
    arguments: [Argument] = [], options: [Option] = []
  ) {
    self.name = name
    self.summary = summary
    self.details = details
    self.examples = examples
    self.arguments = arguments
    self.options = options
  }
}

/// Something given after a verb that is no option.
public struct Argument: Sendable {
  /// How often it is given.
  public enum Count: Sendable {
    /// Once.
    case one
    /// At most once.
    case optional
    /// Any number of times; the last argument of its verb.
    case any
  }

  /// What it stands for, in capitals.
  public var metavar: String
  /// How often it is given.
  public var count: Count
  /// What it may be.
  public var values: Values

  /// Creates an argument.
  public init(_ metavar: String, _ count: Count = .one, values: Values = .any) {
    self.metavar = metavar
    self.count = count
    self.values = values
  }

  /// The argument as a usage line shows it.
  var usage: String {
    switch count {
    case .one: metavar
    case .optional: "[\(metavar)]"
    case .any: "[\(metavar)...]"
    }
  }
}

/// A named choice, given as `--name` or `-n`.
public struct Option: Sendable {
  /// Its long name, without hyphens.
  public var name: String
  /// Its short name.
  public var letter: Character?
  /// What its value stands for, in capitals, or nil where it takes none.
  public var metavar: String?
  /// What it does, in a few words.
  public var summary: String
  /// What its value may be.
  public var values: Values

  /// Creates an option.
  public init(
    _ name: String, _ letter: Character? = nil, metavar: String? = nil, values: Values = .any,
    summary: String
  ) {
    self.name = name
    self.letter = letter
    self.metavar = metavar
    self.summary = summary
    self.values = values
  }
}

/// What a value may be; shells complete by it.
public enum Values: Sendable, Equatable {
  /// Anything.
  case any
  /// The path of a file.
  case file
  /// The path of a directory.
  case directory
  /// One of these words.
  case oneOf([String])
}

/// Something written, and what it means.
public struct Example: Sendable {
  /// What is written.
  public var text: String
  /// What it means.
  public var meaning: String

  /// Creates an example.
  public init(_ text: String, _ meaning: String) {
    self.text = text
    self.meaning = meaning
  }
}

extension Option {
  /// Shows the help; every program has it.
  public static let help = Option("help", "h", summary: "show this help")
  /// Shows the manual page, as roff; the verb `help` has it, and a program without verbs.
  public static let manual = Option("manual", summary: "show the manual page, for man(1)")
  /// Shows the version; every program has it.
  public static let version = Option("version", summary: "show the version")
}

extension Verb {
  /// Shows the help of another verb; every program with verbs has it.
  public static let help = Verb(
    "help", summary: "show how to use a verb", arguments: [Argument("VERB", .optional)],
    options: [.manual])
}

extension Program {
  /// All verbs, with the one that every program has.
  public var allVerbs: [Verb] { verbs.isEmpty ? [] : verbs + [.help] }

  /// The options that go with a verb, or with the program itself where that is nil.
  public func options(of verb: Verb?) -> [Option] {
    let own: [Option] = verb != nil ? [] : verbs.isEmpty ? [.manual, .version] : [.version]
    return (verb?.options ?? []) + options + [.help] + own
  }

  /// The verb of this name, or nil where there is none.
  func verb(_ name: String) -> Verb? {
    allVerbs.first { $0.name == name }
  }
}
