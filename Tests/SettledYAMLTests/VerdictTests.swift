import SettledValues
import SettledYAML
import TestSupport
import Testing

/// What is made of each small input of the suites: by the tables of YAML 1.1 and 1.2 for scalars,
/// keys, tags, documents and encodings.
///
/// `Verdicts` has one line an input: its name, what it is read as, then all findings.
struct VerdictTests {
  private static let file = Suites.packageRoot + "/Tests/SettledYAMLTests/Verdicts/probes.txt"

  @Test func `each input has the verdict that the tables give it`() throws {
    let cases = try Case.all(of: "yaml/probes.jsonl")
    guard !cases.isEmpty else { return }
    let verdicts = cases.map { "\($0.name): \(Verdict.text($0.yaml))" }
    if environment("SETTLED_GOLDEN") == "write" {
      try writeFile(Array(verdicts.map { $0 + "\n" }.joined().utf8), to: Self.file)
    }
    let expected = String(decoding: try #require(readFile(Self.file)), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    // Neither an input without a verdict nor a verdict without its input.
    #expect(names(in: verdicts) == names(in: expected))
    for (verdict, right) in zip(verdicts, expected) { #expect(verdict == right) }
  }

  private func names(in verdicts: [String]) -> [Substring] {
    verdicts.map { $0.prefix { $0 != ":" } }
  }
}
