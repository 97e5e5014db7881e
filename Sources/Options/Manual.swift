extension Program {
  /// The manual page in section `section`, for man(7).
  public func manual(section: Int = 1) -> String {
    var page = ManualPage()
    page.line(".TH \(name.uppercased()) \(section) \"\" \"\(name) \(version)\"")
    page.heading("NAME")
    page.line(page.escaped("\(name) - \(summary)"))
    page.heading("SYNOPSIS")
    if verbs.isEmpty { page.synopsis("\(name) [OPTION...]") }
    for verb in verbs { page.synopsis(usage(of: verb)) }
    page.paragraphs("DESCRIPTION", details)
    if !verbs.isEmpty { page.heading("COMMANDS") }
    for verb in verbs {
      page.entry(([verb.name] + verb.arguments.map(\.usage)).joined(separator: " "), verb.summary)
      for paragraph in verb.details { page.inner(paragraph) }
      for option in verb.options { page.inner(option.row.text.trimmed, option.summary) }
    }
    page.table("OPTIONS", options(of: nil).map { Example($0.row.text.trimmed, $0.summary) })
    page.table("EXIT STATUS", statuses)
    page.table("ENVIRONMENT", environment)
    page.table("EXAMPLES", examples + verbs.flatMap(\.examples))
    return page.text
  }
}

/// Lines of a manual page.
private struct ManualPage {
  private(set) var text = ""

  mutating func line(_ line: String) { text += line + "\n" }

  mutating func heading(_ title: String) { line(".SH \(title)") }

  mutating func synopsis(_ usage: String) {
    line(".B \(escaped(usage))")
    line(".br")
  }

  mutating func paragraphs(_ title: String, _ paragraphs: [String]) {
    if !paragraphs.isEmpty { heading(title) }
    for paragraph in paragraphs {
      line(".PP")
      line(escaped(paragraph))
    }
  }

  mutating func table(_ title: String, _ rows: [Example]) {
    if !rows.isEmpty { heading(title) }
    for row in rows { entry(row.text, row.meaning) }
  }

  mutating func entry(_ term: String, _ meaning: String) {
    line(".TP")
    line(".B \(escaped(term))")
    line(escaped(meaning))
  }

  /// A paragraph, or a term with its meaning, within an entry.
  mutating func inner(_ text: String, _ meaning: String? = nil) {
    line(".IP")
    line(meaning == nil ? escaped(text) : "\\fB\(escaped(text))\\fR \(escaped(meaning ?? ""))")
  }

  /// Text that roff prints as it is.
  func escaped(_ text: String) -> String {
    let escaped = text.map { character in
      switch character {
      case "\\": "\\e"
      case "-": "\\-"
      case "\"": "\\(dq"
      default: String(character)
      }
    }.joined()
    return escaped.first == "." || escaped.first == "'" ? "\\&" + escaped : escaped
  }
}

extension String {
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
