extension Program {
  /// The manual page in section `section`, for man(7).
  public func manual(section: Int = 1) -> String {
    var page = ManualPage(name, section, date, "\(name) \(version)", summary)
    page.synopsis(verbs.isEmpty ? ["\(name) [OPTION...]"] : verbs.map { usage(of: $0) })
    page.section("DESCRIPTION", details)
    if !verbs.isEmpty { page.heading("COMMANDS") }
    for verb in allVerbs {
      page.entry(([verb.name] + verb.arguments.map(\.usage)).joined(separator: " "), verb.summary)
      page.inner(verb.details, verb.options.map(\.entry))
    }
    page.section("OPTIONS", rows: options(of: nil).map(\.entry))
    page.section("EXIT STATUS", rows: statuses)
    page.section("ENVIRONMENT", rows: environment)
    page.section("EXAMPLES", rows: examples + verbs.flatMap(\.examples))
    page.add(sections)
    return page.text
  }

  /// The manual page of a file that the program reads, in section 5.
  ///
  /// - Parameters:
  ///   - file: The name of the page.
  ///   - summary: What the file is, in a few words.
  ///   - path: Where it lies.
  ///   - sections: What is said of it.
  /// - Returns: The page.
  public func manual(
    of file: String, summary: String, path: String, sections: [ManualSection]
  ) -> String {
    var page = ManualPage(file, 5, date, "\(name) \(version)", summary)
    page.synopsis([path])
    page.add(sections)
    return page.text
  }
}

extension Option {
  /// The option as a manual lists it.
  fileprivate var entry: Example { Example(String(row.text.drop { $0 == " " }), summary) }
}

/// Lines of a manual page.
private struct ManualPage {
  /// The columns that a line of text has; mandoc(1) wants no more than 80 bytes.
  private static let width = 79

  private(set) var text = ""

  init(_ name: String, _ section: Int, _ date: String, _ release: String, _ summary: String) {
    line(".TH \(name.uppercased()) \(section) \"\(date)\" \"\(release)\"")
    heading("NAME")
    text("\(name) - \(summary)")
  }

  mutating func line(_ line: String) { text += line + "\n" }

  mutating func heading(_ title: String) { line(".SH \(title)") }

  /// Text in lines, broken between words.
  mutating func text(_ text: String) {
    var rest = escaped(text).split(separator: " ")[...]
    while let first = rest.popFirst() {
      var line = String(first)
      while let word = rest.first, line.utf8.count + 1 + word.utf8.count <= Self.width {
        line += " " + word
        rest.removeFirst()
      }
      self.line(["'", "."].contains(line.first) ? "\\&" + line : line)
    }
  }

  mutating func synopsis(_ usages: [String]) {
    heading("SYNOPSIS")
    for (number, usage) in usages.enumerated() {
      if number > 0 { line(".br") }
      line(".B \(escaped(usage))")
    }
  }

  /// A section, if there is anything in it.
  mutating func section(_ title: String, _ paragraphs: [String] = [], rows: [Example] = []) {
    if !paragraphs.isEmpty || !rows.isEmpty { heading(title) }
    for (number, paragraph) in paragraphs.enumerated() {
      if number > 0 { line(".PP") }
      text(paragraph)
    }
    for row in rows { entry(row.text, row.meaning) }
  }

  mutating func add(_ sections: [ManualSection]) {
    for section in sections {
      self.section(section.title, section.paragraphs, rows: section.rows)
      if section.lines.isEmpty { continue }
      if section.paragraphs.isEmpty, section.rows.isEmpty { heading(section.title) }
      line(".nf")
      for row in section.lines { line(row.isEmpty ? ".sp" : "\\&" + escaped(row)) }
      line(".fi")
    }
  }

  mutating func entry(_ term: String, _ meaning: String) {
    line(".TP")
    line(".B \(escaped(term))")
    text(meaning)
  }

  /// Paragraphs and rows within an entry.
  mutating func inner(_ paragraphs: [String], _ rows: [Example]) {
    for paragraph in paragraphs {
      line(".IP")
      text(paragraph)
    }
    if rows.isEmpty { return }
    line(".RS")
    for row in rows { entry(row.text, row.meaning) }
    line(".RE")
  }

  /// Text that roff prints as it is, but for a first character that makes a request of a line.
  private func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "\\": "\\e"
      case "-": "\\-"
      case "\"": "\\(dq"
      default: String(character)
      }
    }.joined()
  }
}
