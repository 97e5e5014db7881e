import Expressions
import SettledValues
import Templates

/// Prints the processor time until bad input is refused, and the memory the process then has.
func printRefusalTimes() {
  print("| input | refused after ms | with |")
  print("|---|---:|---|")
  for (name, source) in badExpressions { report(name) { try evaluate(source) } }
  for (name, source) in badTemplates { report(name) { try render(source) } }
  print("\nmemory afterwards: \(rounded(residentBytes() / 1e6)) MB")
}

private func report(_ name: String, _ body: () throws -> Void) {
  var outcome = "not refused"
  let time = nanoseconds(count: 1, repeats: 1) {
    do { try body() } catch { outcome = "\(error)".prefix { $0 != "\n" }.description }
  }
  print("| \(name) | \(rounded(time / 1e6)) | \(outcome) |")
}

private let names: ValueMap = [
  "big": .list(Array(repeating: 1, count: 10_000)),
  "long": .string(String(repeating: "a", count: 100_000)),
]

private func evaluate(_ source: String) throws {
  _ = try Expression(source).evaluate(ValueLookup(names))
}

private func render(_ source: [UInt8]) throws {
  var output: [UInt8] = []
  try Template(source, file: "template").render(ValueLookup(names), into: &output)
}

private let badExpressions: [(String, String)] = [
  ("100,000 parentheses", String(repeating: "(", count: 100_000)),
  ("60,000 parentheses", String(repeating: "(", count: 60_000)),
  ("60,000 negations", String(repeating: "!", count: 60_000)),
  ("a megabyte of sums", String(repeating: "1+", count: 500_000) + "1"),
  ("60,000 calls in a row", "a" + String(repeating: ".f()", count: 15_000)),
  ("three loops over 10,000", "big.all(a, big.all(b, big.all(c, true)))"),
  ("lists of lists over 10,000", "big.map(a, big.map(b, b))"),
  (
    "text doubled 40 times",
    (0..<40).reduce("'0123456789'") { "cel.bind(a\($1), \($0), a\($1) + a\($1))" }
  ),
  (
    "a list that holds itself 4^20 times",
    (0..<20).reduce("[1]") { source, _ in "\(source).map(x, [x, x, x, x])" }
  ),
  ("a catastrophic pattern", "(long + 'b').matches('^(a+)+$')"),
  ("the same over 10,000", "big.exists(x, (long + 'b').matches('^(a+)+$'))"),
  ("many searches in long text", "big.exists(x, long.contains('b' + long))"),
  ("many comparisons of long lists", "big.exists(x, big == big + [1] || big != big)"),
]

private let badTemplates: [(String, [UInt8])] = [
  ("100,000 open blocks", Array(String(repeating: "{% if true %}", count: 100_000).utf8)),
  ("200,000 open tags", Array(String(repeating: "{{ a", count: 200_000).utf8)),
  ("an open string of a megabyte", Array(("{{ '" + String(repeating: "a", count: 1 << 20)).utf8)),
  ("an open comment of a megabyte", Array(String(repeating: "{#", count: 1 << 19).utf8)),
  ("open raw blocks", Array(String(repeating: "{% raw %}{% endra", count: 60_000).utf8)),
  ("bytes that are not UTF-8", Array(repeating: 0x61, count: 1 << 20) + [0xFF]),
  (
    "three loops in each other",
    Array(
      ("{% for a in big %}{% for b in big %}{% for c in big %}{% endfor %}{% endfor %}{% endfor %}")
        .utf8)
  ),
  ("long output", Array("{% for a in big %}{{ long }}{% endfor %}".utf8)),
]
