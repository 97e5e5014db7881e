import SettledValues
import SettledYAML
import TestSupport
import Testing

/// The YAML test suite: events where libyaml is exact, refusals where it must refuse.
struct SuiteTests {
  /// Invalid files that libyaml takes, and so do we, with the reason; all change no value silently.
  private static let taken = [
    "9C9N": "brackets whose lines are not indented: common in files written by hand",
    "DK95/01": "a tab that continues a quoted text",
    "QB6E": "lines of a quoted text that are not indented",
    "S98Z": "blank lines longer than the text of a block below them",
    "9JBA": "a comment without a space before it",
    "CVW2": "a comment without a space before it",
    "SU5Z": "a comment without a space before it",
    "X4QW": "a comment without a space before it",
  ]

  /// Valid files that libyaml reads as another text: it leaves out what a file without a final line
  /// break would end with, and we warn of the missing break.
  private static let warned = ["L24T/01", "JEF9/02"]

  @Test func `events are those of the suite where libyaml is exact`() throws {
    let cases = try Case.all(of: "yaml/suite.jsonl").filter { $0.text("libyaml") == "pass" }
    let passed = cases.filter { item in
      let lines = EventDump.lines(of: item.yaml).lines
      let expected = (item.text("event") ?? "").split(separator: "\n").map(String.init)
      #expect(lines == expected, "\(item.name)")
      return lines == expected
    }
    print("yaml/suite.jsonl, events: \(passed.count)/\(cases.count)")
  }

  @Test func `what is invalid is refused`() throws {
    let cases = try Case.all(of: "yaml/suite.jsonl").filter { $0.flag("error") }
    let passed = cases.filter { item in
      let isRefused = refusal(of: item) != nil
      #expect(isRefused || Self.taken[item.name] != nil, "\(item.name)")
      return isRefused
    }
    print(
      "yaml/suite.jsonl, refused: \(passed.count)/\(cases.count), documented: "
        + "\(cases.count - passed.count)")
  }

  @Test func `what is read is what the suite says, or is refused by a rule`() throws {
    let cases = try Case.all(of: "yaml/suite.jsonl").filter { !$0.flag("error") }
    var (exact, refused) = (0, 0)
    for item in cases {
      guard let document = try? YAMLDocument.read(item.yaml, file: "in.yaml") else {
        let place = try #require(refusal(of: item)?.diagnostics.first?.place)
        #expect(place.line > 0, "\(item.name)")
        refused += 1
        continue
      }
      let expected = try item.text("json").map { try JSON.read($0) } ?? .null
      let isWarned = Self.warned.contains(item.name) && !document.warnings.isEmpty
      #expect((document.root?.value() ?? .null) == expected || isWarned, "\(item.name)")
      exact += 1
    }
    print("yaml/suite.jsonl, valid: \(exact) read, \(refused) refused, of \(cases.count)")
  }

  private func refusal(of item: Case) -> Refusal? {
    do throws(Refusal) {
      _ = try YAMLDocument.read(item.yaml, file: "in.yaml")
      return nil
    } catch {
      return error
    }
  }
}
