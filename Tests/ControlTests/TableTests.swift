import TestSupport
import Testing

/// What the built programs say of their verbs and options, in every form they say it in.
@Suite struct `the table of verbs and options` {
  private let tool = builtProgram("settlectl")

  private func say(_ arguments: String...) throws -> String {
    let outcome = try run([tool] + arguments)
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    return outcome.output
  }

  /// Every `--name` in a text, without the hyphens.
  private func options(_ text: some StringProtocol) -> Set<String> {
    Set(String(text).matches(of: /(?:^|[^a-z-])--([a-z][a-z-]*)/).map { String($0.1) })
  }

  /// The options that begin a line of help.
  private func listed(_ help: String) -> Set<String> {
    Set(help.matches(of: /(?:^|\n) +(?:-[a-zA-Z], )?--([a-z-]+)/).map { String($0.1) })
  }

  private func verbs(inBash script: String) -> [String] {
    let line = script.split(separator: "\n").first { $0.contains("verb=$word; break") } ?? ""
    return line.prefix { $0 != ")" }.split(separator: "|").map {
      String($0.filter { $0 != " " })
    }
  }

  /// Lines of a case of a shell, or of a section of a manual page, that begin with a word.
  private func line(_ script: String, after start: String) -> String {
    script.split(separator: "\n").first { $0.drop { $0 == " " }.hasPrefix(start) }.map(String.init)
      ?? ""
  }

  /// What a manual page says between a line and the next one of the kind.
  private func part(_ page: String, from start: String, to end: String) -> String {
    guard let found = page.firstRange(of: start) else { return "" }
    let rest = page[found.upperBound...]
    return String(rest[..<(rest.firstRange(of: end)?.lowerBound ?? rest.endIndex)])
  }

  @Test func `has the same verbs in help, manual and every shell`() throws {
    let verbs = verbs(inBash: try say("completion", "bash"))
    #expect(verbs.count > 10)
    let manual = try say("help", "--manual")
    let commands = part(manual, from: "\n.SH COMMANDS\n", to: "\n.SH ")
      .replacing(/\n\.RS\n(?s:.*?)\n\.RE(?=\n|$)/, with: "")
    #expect(
      commands.matches(of: /\.TP\n\.B ([a-z]+)/).map { String($0.1) } == verbs)
    let help = part(try say("help"), from: "\nVerbs:\n", to: "\n\n")
    let cells = help.split(separator: "\n").flatMap { [$0.prefix(41), $0.dropFirst(41)] }
    #expect(cells.allSatisfy { $0.isEmpty || $0.first == " " || $0.contains("  ") })
    let named = cells.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(named.sorted() == verbs.sorted())
    let zsh = part(try say("completion", "zsh"), from: "verbs=(\n", to: "\n  )")
    #expect(zsh.matches(of: /'([a-z]+):/).map { String($0.1) } == verbs)
    let fish = try say("completion", "fish")
    #expect(
      fish.matches(of: #/__fish_use_subcommand' -a ([a-z]+) /#).map { String($0.1) } == verbs)
  }

  @Test func `has the same options in help, manual and every shell`() throws {
    let scripts = (
      bash: try say("completion", "bash"), zsh: try say("completion", "zsh"),
      fish: try say("completion", "fish"), manual: try say("help", "--manual")
    )
    let page = scripts.manual.replacing("\\-", with: "-")
    let general = options(part(page, from: "\n.SH OPTIONS\n", to: "\n.SH "))
    #expect(general == ["no-pager", "socket", "help", "version"])
    let commands = part(page, from: "\n.SH COMMANDS\n", to: "\n.SH ") + "\n.TP\n.B end"
    for verb in verbs(inBash: scripts.bash) {
      let known = listed(part(try say("help", verb), from: "\nOptions:\n", to: "\n\n"))
      #expect(known.isSuperset(of: general.subtracting(["version"])))
      #expect(options(line(scripts.bash, after: "\(verb)) ")) == known)
      let zsh = line(scripts.zsh, after: "\(verb)) ").replacing(/\[[^\]]*\]/, with: "")
      #expect(options(zsh) == known)
      let own = known.subtracting(general)
      let fish = scripts.fish.split(separator: "\n").filter {
        $0.contains("'__fish_seen_subcommand_from \(verb)'")
      }
      #expect(Set(fish.flatMap { $0.matches(of: #/ -l ([a-z-]+)/#) }.map { String($0.1) }) == own)
      let entry = try Regex("\\.TP\n\\.B \(verb)(?s:.*?)\n\\.TP\n\\.B [a-z]")
      let said = commands.firstMatch(of: entry).map { commands[$0.range] } ?? ""
      #expect(options(said.matches(of: /\n\.B .*/).map { $0.0 }.joined()) == own)
    }
  }

  @Test func `has every answer as text, JSON and YAML`() throws {
    for verb in verbs(inBash: try say("completion", "bash")) {
      let known = listed(part(try say("help", verb), from: "\nOptions:\n", to: "\n\n"))
      let isForPeople = ["completion", "help"].contains(verb)
      #expect(known.isSuperset(of: ["output", "json"]) != isForPeople, "\(verb)")
    }
  }

  @Test func `is told by the daemon too`() throws {
    let daemon = builtProgram("settled")
    let help = try run([daemon, "--help"]).output
    let page = try run([daemon, "--manual"]).output.replacing("\\-", with: "-")
    let known = listed(part(help, from: "\nOptions:\n", to: "\n\n"))
    #expect(known.isSuperset(of: ["manifest", "state-directory", "once", "strict", "manual"]))
    #expect(options(part(page, from: "\n.SH OPTIONS\n", to: "\n.SH ")) == known)
    #expect(help.split(separator: "\n", omittingEmptySubsequences: false).count <= 25)
    #expect(page.hasPrefix(".TH SETTLED 8 \"2"))
  }
}
