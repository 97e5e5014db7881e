/// One finding: severity, place, sentence, the line with a caret, a hint.
///
/// The sentence is lower case, without a full stop, names in single quotes. It never carries a
/// secret or a whole input.
public struct Diagnostic: Sendable, Hashable {
  /// How grave a finding is.
  public enum Severity: String, Sendable, Hashable {
    /// The input is refused.
    case error
    /// The input is taken, but is likely not what was meant.
    case warning
  }

  /// The text a finding points at.
  public struct Excerpt: Sendable, Hashable {
    /// The line, without its line break.
    public var line: String
    /// The number of code points underlined, at least 1.
    public var length: Int

    /// Creates an excerpt of `line` with `length` code points underlined.
    public init(line: String, length: Int = 1) {
      self.line = line
      self.length = max(1, length)
    }
  }

  /// A second place that belongs to a finding.
  public struct Note: Sendable, Hashable {
    /// Where it points.
    public var place: Place
    /// What is there.
    public var message: String

    /// Creates a note on a place.
    public init(_ message: String, at place: Place) {
      self.place = place
      self.message = message
    }
  }

  /// How grave it is.
  public var severity: Severity
  /// Where it is, or nil for what has no place in a file.
  public var place: Place?
  /// What is wrong.
  public var message: String
  /// The line it points at.
  public var excerpt: Excerpt?
  /// What to do.
  public var hint: String?
  /// Other places it speaks of.
  public var notes: [Note]

  /// Creates a finding.
  public init(
    _ severity: Severity, _ message: String, at place: Place? = nil,
    excerpt: Excerpt? = nil, hint: String? = nil, notes: [Note] = []
  ) {
    self.severity = severity
    self.place = place
    self.message = message
    self.excerpt = excerpt
    self.hint = hint
    self.notes = notes
  }
}

extension Diagnostic {
  /// Whether it is an error, and so refuses its input.
  public var isError: Bool { severity == .error }
}

/// Findings of which at least one is an error.
public struct Refusal: Error, Sendable, Hashable {
  /// All findings, in the order they were made.
  public var diagnostics: [Diagnostic]

  /// Creates a refusal for these findings.
  public init(_ diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics
  }

  /// The findings one below the other.
  public var text: String { diagnostics.map(\.description).joined(separator: "\n") }
}

extension Diagnostic: CustomStringConvertible {
  /// The finding as every output shows it, over one or more lines, without a final line break.
  public var description: String {
    var lines = [summary]
    if let excerpt, let place, place.column > 0 {
      lines.append("  " + excerpt.line.printable)
      lines.append("  " + Self.underline(excerpt, column: place.column))
    }
    if let hint { lines.append("  hint: \(hint.printable)") }
    for note in notes {
      let place = note.place.description.printable
      lines.append("\(place): note: \(note.message.printable)")
    }
    return lines.joined(separator: "\n")
  }

  /// The finding in one line: place, severity, sentence.
  public var summary: String {
    let start = place.map { $0.description.printable + ": " } ?? ""
    return "\(start)\(severity.rawValue): \(message.printable)"
  }

  private static func underline(_ excerpt: Excerpt, column: Int) -> String {
    let scalars = excerpt.line.unicodeScalars
    let start = min(column - 1, scalars.count)
    let indent = scalars.prefix(start).map { $0 == "\t" ? "\t" : " " }.joined()
    let length = max(1, min(excerpt.length, scalars.count - start))
    return indent + "^" + String(repeating: "~", count: length - 1)
  }
}
