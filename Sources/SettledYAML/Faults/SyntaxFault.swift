internal import CLibYAML
internal import SettledValues

/// A fault of the syntax as libyaml reports it, in words that say what to do.
///
/// The texts are those of libyaml 0.2.5 (`scanner.c`, `parser.c`), stable since 2020; one that is
/// not known here is shown as it is.
struct SyntaxFault {
  let source: Source
  let problem: String
  let context: String
  /// Where libyaml noticed.
  let place: Place
  /// Where what it was reading starts.
  let start: Place

  init(_ parser: UnsafePointer<yaml_parser_t>, _ source: Source) {
    self.source = source
    problem = parser.pointee.problem.map { String(cString: $0) } ?? "out of memory"
    context = parser.pointee.context.map { String(cString: $0) } ?? ""
    place = Self.place(parser.pointee.problem_mark, source)
    start = context.isEmpty ? place : Self.place(parser.pointee.context_mark, source)
  }

  private static func place(_ mark: yaml_mark_t, _ source: Source) -> Place {
    source.place(
      line: UInt32(truncatingIfNeeded: mark.line), column: UInt32(truncatingIfNeeded: mark.column))
  }

  /// Adds the fault to `findings`.
  func report(_ findings: inout Findings) {
    let text = described()
    findings.add(
      text.message, at: text.place, length: text.length, hint: text.hint, notes: text.notes)
  }

  struct Description {
    var message: String
    var place: Place
    var length = 1
    var hint: String?
    var notes: [Diagnostic.Note] = []
  }

  private func described() -> Description {
    switch problem {
    case "found unexpected end of stream", "found unexpected document indicator": unclosedQuote()
    case "did not find expected ',' or ']'": unclosed("[", "]")
    case "did not find expected ',' or '}'": unclosed("{", "}")
    case "could not find expected ':'":
      Description(
        message: "expected ':' after this key", place: start, length: lengthOfLine(from: start))
    case "mapping values are not allowed in this context": misplacedColon()
    case "did not find expected key": misplacedKey()
    case "did not find expected '-' indicator": misplacedItem()
    case "found character that cannot start any token": badStart()
    case "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      tab(at: place)
    case "did not find expected alphabetic or numeric character": badName()
    case "block sequence entries are not allowed in this context":
      Description(
        message: "a list must start on its own line", place: place,
        hint: "move the '-' below, or write [a, b]")
    case "did not find expected <document start>": afterDocument()
    case "did not find expected node content": missingContent()
    default: scannerFault()
    }
  }

  private func scannerFault() -> Description {
    switch problem {
    case "did not find expected comment or line break" where context.containsBytes("block scalar"),
      "found an indentation indicator equal to 0":
      Description(
        message: "nothing may follow '|' or '>' on its line but '+', '-' and a digit", place: place,
        notes: [Diagnostic.Note("the text starts here", at: start)])
    case "found unexpected ':'":
      Description(
        message: "':' inside of a value in brackets", place: place,
        hint: "put a space after the ':', or quote the value")
    case "found unknown escape character", "did not find expected hexdecimal number": escape()
    case "found invalid Unicode character escape code":
      Description(
        message: "this escape is no Unicode character", place: backslash(),
        hint: "write one beyond U+FFFF as \\U with eight digits, or the character itself")
    case "found undefined tag handle":
      Description(
        message: "unknown tag '\(word(at: place))'", place: place, length: word(at: place).count,
        hint: "settings know !!str, !!int, !!float, !!bool, !!null, !!map and !!seq")
    case "found incompatible YAML document", "found duplicate %YAML directive",
      "found unknown directive name":
      Description(
        message: "the only directive allowed is one '%YAML 1.2'", place: place,
        hint: place.column == 1 ? nil : "for text that starts with '%', quote it")
    case "mapping keys are not allowed in this context":
      Description(message: "a '?' is not allowed here", place: place, hint: "quote the value")
    default: plain()
    }
  }

  private func plain() -> Description {
    var notes: [Diagnostic.Note] = []
    if start != place { notes = [Diagnostic.Note(context, at: start)] }
    return Description(message: problem, place: place, notes: notes)
  }
}
