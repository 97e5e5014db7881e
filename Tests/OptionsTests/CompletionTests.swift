import Options
import TestSupport
import Testing

@Suite struct `completion` {
  /// What bash offers for the last word of a line, sorted.
  private func complete(_ line: String) throws -> [String] {
    let directory = try TemporaryDirectory()
    let script = try directory.write(Program.sample.completion(for: .bash), to: "tool")
    // As readline has it: "=" is a word of its own.
    let words = line.replacing("=", with: " = ").split(
      separator: " ", omittingEmptySubsequences: false)
    let last = words.count - 1
    let spoken = words.enumerated().filter { !$1.isEmpty || $0 == last }.map { "'\($1)'" }
    let outcome = try run([
      "bash", "-c",
      "compopt() { :; }; . \(script); COMP_WORDS=(\(spoken.joined(separator: " "))); "
        + "COMP_CWORD=\(spoken.count - 1); _tool; printf '%s\\n' \"${COMPREPLY[@]}\"",
    ])
    #expect(outcome.errors == "")
    return outcome.output.split(separator: "\n").map(String.init).sorted()
  }

  @Test(
    .enabled(if: (try? run(["bash", "-c", "true"]))?.status == 0),
    arguments: [
      ("tool st", ["status"]), ("tool --q", ["--quiet"]), ("tool get --ou", ["--output"]),
      ("tool get -o ", ["json", "text"]), ("tool get --output=j", ["json"]),
      ("tool get --output=", ["json", "text"]), ("tool help ge", ["get"]), ("tool get --al", []),
      ("tool status --al", ["--all"]), ("tool -q --f", ["--file"]), ("tool get x", []),
      ("tool count --format ", ["new", "old"]), ("tool draw --format=", ["dot", "svg"]),
      ("tool get --output=json x --o", ["--output"]),
    ])
  func `offers what goes in bash`(line: String, offers: [String]) throws {
    #expect(try complete(line) == offers)
  }

  @Test func `names every verb and option in every shell and in the manual`() {
    let texts = Shell.allCases.map { Program.sample.completion(for: $0) }
    for verb in Program.sample.allVerbs {
      #expect(texts.allSatisfy { $0.contains(verb.name) })
      for option in Program.sample.options(of: verb) {
        #expect(texts.allSatisfy { $0.contains(option.name) })
        #expect(Program.sample.help(for: verb.name).contains("--\(option.name)"))
        if option.name != Option.manual.name {
          #expect(Program.sample.manual().contains("\\-\\-\(option.name)"))
        }
      }
    }
  }

  @Test func `quotes for fish`() {
    let script = Program.sample.completion(for: .fish)
    #expect(
      script.contains("complete -c tool -n '__fish_use_subcommand' -a get -d 'get something'\n"))
    #expect(
      script.contains(
        "complete -c tool -n '__fish_seen_subcommand_from get' -s o -l output -x -a 'text json' "
          + "-d 'the form'\n"))
  }
}

@Suite struct `the manual page` {
  @Test func `is made of the table`() throws {
    var program = Program.sample
    program.date = "2026-01-31"
    program.details = [".first word", String(repeating: "twenty-letter-word-x ", count: 8)]
    program.sections = [ManualSection("NOTES", ["one"], rows: [Example("a", "b")])]
    let manual = program.manual()
    #expect(
      manual.hasPrefix(
        ".TH TOOL 1 \"2026-01-31\" \"tool 1.2\"\n.SH NAME\ntool \\- do things\n.SH SYNOPSIS\n"))
    #expect(manual.contains("\n.SH DESCRIPTION\n\\&.first word\n.PP\ntwenty"))
    #expect(manual.split(separator: "\n").allSatisfy { $0.utf8.count <= 80 })
    #expect(manual.contains(".TP\n.B get PATH\nget something\n.IP\nGets a thing.\n.RS\n"))
    #expect(manual.contains(".RS\n.TP\n.B \\-o, \\-\\-output FORMAT\nthe form\n.RE\n"))
    #expect(manual.contains(".TP\n.B \\-q, \\-\\-quiet\nsay less\n"))
    #expect(manual.hasSuffix(".SH NOTES\none\n.TP\n.B a\nb\n"))
    #expect(try Program.sample.parse(["help", "--manual"]) == .manual)
    #expect(try Program.plain.parse(["--manual"]) == .manual)
  }
}
