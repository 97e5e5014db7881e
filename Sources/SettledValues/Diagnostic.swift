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
      lines.append("  " + Self.printable(excerpt.line))
      lines.append("  " + Self.underline(excerpt, column: place.column))
    }
    if let hint { lines.append("  hint: \(Self.printable(hint))") }
    for note in notes {
      let place = Self.printable(note.place.description)
      lines.append("\(place): note: \(Self.printable(note.message))")
    }
    return lines.joined(separator: "\n")
  }

  /// The finding in one line: place, severity, sentence.
  public var summary: String {
    let start = place.map { Self.printable($0.description) + ": " } ?? ""
    return "\(start)\(severity.rawValue): \(Self.printable(message))"
  }

  private static func underline(_ excerpt: Excerpt, column: Int) -> String {
    let scalars = excerpt.line.unicodeScalars
    let start = min(column - 1, scalars.count)
    let indent = scalars.prefix(start).map { $0 == "\t" ? "\t" : " " }.joined()
    let length = max(1, min(excerpt.length, scalars.count - start))
    return indent + "^" + String(repeating: "~", count: length - 1)
  }

  /// Replaces control characters, so that data cannot steer a terminal or forge a log line.
  private static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isControl(scalar) {
        result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    (scalar.value < 0x20 && scalar != "\t") || (0x7F...0x9F).contains(scalar.value)
      || scalar.value == 0x2028 || scalar.value == 0x2029
  }
}
