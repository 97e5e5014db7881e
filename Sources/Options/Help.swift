extension Program {
  /// The help of a verb, or of the program where that is nil: examples first, at most 80 columns.
  public func help(for name: String? = nil) -> String {
    guard let name, let verb = verb(name) else { return programHelp }
    var page = Page()
    page.line("\(self.name) \(verb.name) - \(verb.summary)")
    page.table("Examples:", verb.examples)
    page.gap()
    page.line("Usage: \(usage(of: verb))")
    for paragraph in verb.details {
      page.gap()
      page.paragraph(paragraph)
    }
    page.table("Options:", options(of: verb).map(\.row))
    return page.text
  }

  /// The version as `--version` shows it.
  public var versionText: String { "\(name) \(version)\n" }

  private var programHelp: String {
    var page = Page()
    page.line("\(name) - \(summary)")
    page.table("Examples:", examples)
    page.gap()
    page.line("Usage: \(name) [OPTION...]" + verbUsage)
    let rows = allVerbs.map { Example($0.name, $0.summary) }
    if rows.count > 8 { page.columns("Verbs:", rows) } else { page.table("Verbs:", rows) }
    page.table("Options:", options(of: nil).map(\.row))
    return page.text
  }

  private var verbUsage: String {
    if verbs.isEmpty { return "" }
    return defaultVerb == nil ? " VERB [ARGUMENT...]" : " [VERB] [ARGUMENT...]"
  }

  func usage(of verb: Verb) -> String {
    ([name, verb.name, "[OPTION...]"] + verb.arguments.map(\.usage)).joined(separator: " ")
  }
}

extension Option {
  /// The option as a line of help: how it is written, and what it does.
  var row: Example {
    let short = letter.map { "-\($0), " } ?? "    "
    return Example(short + "--\(name)" + (metavar.map { " \($0)" } ?? ""), summary)
  }
}

/// Lines of help.
private struct Page {
  static let width = 80
  private(set) var text = ""

  mutating func line(_ line: String) { text += line + "\n" }

  mutating func gap() { text += "\n" }

  mutating func paragraph(_ paragraph: String, indent: Int = 0) {
    for line in Self.wrap(paragraph, width: Self.width - indent) {
      self.line(String(repeating: " ", count: indent) + line)
    }
  }

  /// Rows of two columns under a title, if there are any.
  mutating func table(_ title: String, _ rows: [Example]) {
    guard !rows.isEmpty else { return }
    gap()
    line(title)
    let column = 4 + (rows.map(\.text.count).max() ?? 0)
    for row in rows {
      let lines = Self.wrap(row.meaning, width: max(20, Self.width - column))
      for (number, part) in lines.enumerated() {
        line(Self.padded(number == 0 ? "  " + row.text : "", column) + part)
      }
    }
  }

  /// Rows of two columns, two beside each other, under a title.
  mutating func columns(_ title: String, _ rows: [Example]) {
    gap()
    line(title)
    let name = 2 + (rows.map(\.text.count).max() ?? 0)
    let cells = rows.map { Self.padded($0.text, name) + $0.meaning }
    let height = (cells.count + 1) / 2
    for row in 0..<height {
      let right = row + height < cells.count ? cells[row + height] : ""
      let left = "  " + cells[row]
      let column = max(Self.width / 2 + 1, left.count + 2)
      line(right.isEmpty ? left : Self.padded(left, column) + right)
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func wrap(_ text: String, width: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if line.count + 1 + word.count <= width {
        lines[lines.count - 1] = line + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
