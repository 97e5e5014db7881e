/// What a program was asked to do.
public enum Request: Sendable, Equatable {
  /// To show the help of a verb, or of the program where that is nil.
  case help(String?)
  /// To show its manual page.
  case manual
  /// To show its version.
  case version
  /// To do its work.
  case run(Invocation)
}

/// A verb with options and arguments, all known to the program and complete.
public struct Invocation: Sendable, Equatable {
  /// The name of the verb; empty for a program without verbs.
  public var verb: String
  /// The arguments after the verb.
  public var arguments: [String]
  private var values: [String: [String]]

  init(verb: String, arguments: [String], values: [String: [String]]) {
    self.verb = verb
    self.arguments = arguments
    self.values = values
  }

  /// Tells whether an option was given.
  public func has(_ option: Option) -> Bool { values[option.name] != nil }

  /// The value of an option, the last one where it was given several times; nil where it was not.
  public func value(of option: Option) -> String? { values[option.name]?.last }

  /// All values of an option, in their order.
  public func values(of option: Option) -> [String] { values[option.name] ?? [] }
}

/// Why arguments are not understood.
public struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, in one line.
  public var message: String
  /// Where to read more: `Try 'settlectl get --help'`.
  public var hint: String

  /// The message and the hint, a line each.
  public var description: String { "\(message)\n\(hint)" }
}
