import SettledValues
import SettledYAML
import TestSupport
import Testing

struct LimitTests {
  @Test func `a file over the size limit is refused`() {
    let limits = YAMLLimits(fileSize: 10)
    #expect(
      messages("a: 12345678", limits) == ["the file has 11 bytes: the limit 'file_size' is 10"])
    #expect(messages("a: 1234567", limits).isEmpty)
  }

  @Test func `depth is limited, through aliases as well`() {
    let limits = YAMLLimits(depth: 3)
    #expect(messages("a: [[1]]", limits).isEmpty)
    let refused = ["maps and lists are nested too deep: the limit 'depth' is 3"]
    #expect(messages("a: [[[1]]]", limits) == refused)
    #expect(messages("a: &a [1]\nb: [*a]", limits).isEmpty)
    #expect(messages("a: &a [1]\nb: &b [*a]\nc: [*b]", limits) == refused)
  }

  @Test func `text and keys are limited`() {
    let limits = YAMLLimits(scalarSize: 3, keyLength: 2)
    #expect(messages("aé: abc", limits).isEmpty)
    #expect(
      messages("abc: abcd", limits) == [
        "a key of 3 characters: the limit 'key_length' is 2",
        "text of 4 bytes: the limit 'scalar_size' is 3",
      ])
  }

  @Test func `what aliases stand for is limited`() {
    let limits = YAMLLimits(expandedNodes: 10, expansionFactor: 1)
    #expect(messages("a: &a [1, 2, 3]\nb: [*a, *a]", limits).isEmpty)
    #expect(
      messages("a: &a [1, 2, 3]\nb: [*a, *a, *a, *a, *a]", limits) == [
        "with the alias '*a' the file stands for 22 nodes: the limit 'expanded_nodes' is 20"
      ])
  }

  @Test func `merge keys count against the same limit`() {
    let limits = YAMLLimits(expandedNodes: 10, expansionFactor: 0)
    let text = "a: &a {p: 1, q: 2, r: 3}\nb: {<<: *a}\nc: {<<: *a}"
    #expect(messages(text, limits).first?.contains("'expanded_nodes' is 10") == true)
  }

  @Test func `the number of findings is limited`() {
    let text = (0..<9).map { "a\($0): !x y\n" }.joined()
    let messages = messages(text, YAMLLimits(findings: 3))
    #expect(messages.count == 4)
    #expect(messages.last == "there may be more findings: the limit 'findings' is 3")
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      String(repeating: "[", count: 100_000), String(repeating: "{a: ", count: 100_000),
      String(repeating: "{\"\":[", count: 50_000), String(repeating: "- ", count: 300_000),
      String(repeating: "? ", count: 300_000), "a: " + String(repeating: "&a ", count: 100_000),
      String(repeating: "%TAG !a! tag:x,1:\n", count: 50_000) + "---\na: 1",
      "a: 1\n...\n" + String(repeating: "%TAG !a! tag:x,1:\n", count: 50_000),
      String(repeating: "- &a1 x\n", count: 100_000), String(repeating: "- *a\n", count: 100_000),
      String(repeating: "a: 1\n", count: 100_000),
      String(repeating: "\u{e9}: [?x]\n", count: 50_000),
      "a: &a\n  b: *a\nc:\n  <<: *a\n", String(repeating: "!x y\n", count: 100_000),
      "a: \"" + String(repeating: "\\", count: 500_000),
      String(repeating: "é: &a1 [*a1]\n", count: 50_000),
      "a: |\n" + String(repeating: "\n", count: 900_000),
    ].map(LongText.init))
  func `hostile input ends soon, with a clear answer`(_ input: LongText) {
    #expect(messages(input.text, YAMLLimits()).allSatisfy { !$0.isEmpty && $0.utf8.count < 300 })
  }

  private func messages(_ text: String, _ limits: YAMLLimits) -> [String] {
    do {
      _ = try YAMLDocument.read(Array(text.utf8), file: "f", limits: limits)
      return []
    } catch {
      return error.diagnostics.map(\.message)
    }
  }
}
