import Targets
import TestSupport
import Testing

@Suite struct UnifiedDiffTests {
  private func diff(_ old: String, _ new: String) -> String {
    UnifiedDiff(from: old, to: new).text(from: "a", to: "b")
  }

  @Test func `equal texts have no difference`() {
    #expect(diff("one\ntwo\n", "one\ntwo\n") == "")
  }

  @Test func `a changed line is shown between three lines on each side`() {
    let old = (1...9).map { "\($0)\n" }.joined()
    #expect(
      diff(old, old.replacing("5", with: "five")) == """
        --- a
        +++ b
        @@ -2,7 +2,7 @@
         2
         3
         4
        -5
        +five
         6
         7
         8

        """)
  }

  @Test func `changes far apart are shown apart, and near ones together`() {
    let old = (1...30).map { "\($0)\n" }.joined()
    let far = diff(old, old.replacing("\n3\n", with: "\nx\n").replacing("\n28\n", with: "\ny\n"))
    #expect(far.split(separator: "\n").count { $0.hasPrefix("@@") } == 2)
    let near = diff(old, old.replacing("\n13\n", with: "\nx\n").replacing("\n18\n", with: "\ny\n"))
    #expect(near.split(separator: "\n").count { $0.hasPrefix("@@") } == 1)
  }

  @Test(arguments: [
    ("", "one\ntwo", "@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file\n"),
    ("", "one\n", "@@ -0,0 +1 @@\n+one\n"), ("one\n", "", "@@ -1 +0,0 @@\n-one\n"),
    ("", "\n", "@@ -0,0 +1 @@\n+\n"),
    ("a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"),
    ("a\r\nb\r\n", "a\nb\r\n", "@@ -1,2 +1,2 @@\n-a\r\n+a\n b\r\n"),
    ("\u{e9}\n", "e\u{301}\n", "@@ -1 +1 @@\n-\u{e9}\n+e\u{301}\n"),
  ])
  func `the end of a line counts, and its bytes do`(old: String, new: String, hunk: String) {
    #expect(diff(old, new).utf8.elementsEqual(("--- a\n+++ b\n" + hunk).utf8))
  }

  @Test func `a difference applied to the old text gives the new one, for any texts`() throws {
    for _ in 0..<300 {
      func text() -> String {
        let lines = (0..<Int.random(in: 0...40)).map { _ in "\(Int.random(in: 0...4))\n" }
        return String(lines.joined().dropLast(.random(in: 0...1)))
      }
      let (old, new) = (text(), text())
      let difference = diff(old, new)
      #expect(patched(old, by: difference) == new, "\(old)---\n\(new)---\n\(difference)")
    }
  }

  @Test func `two long texts with nothing in common are told in little time and room`() {
    let old = (0..<60_000).map { "old \($0)\n" }.joined()
    let difference = diff("same\n" + old, "same\n" + old.replacing("old", with: "new"))
    #expect(difference.hasPrefix("--- a\n+++ b\n@@ -1,60001 +1,60001 @@\n same\n-old 0\n"))
    #expect(difference.hasSuffix("+new 59999\n"))
  }

  @Test func `of a long text only what changed is told, however far apart`() {
    let old = (0..<50_000).map { "line \($0)\n}\n" }.joined()
    let new = old.replacing("line 2\n", with: "two\n").replacing("line 49990\n}\n", with: "")
    let difference = diff(old, new)
    let changed = difference.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map(String.init)
    let (first, second) = ("@@ -2,7 +2,7 @@", "@@ -99978,8 +99978,6 @@")
    #expect(changed.dropFirst(2) == [first, "-line 2", "+two", second, "-line 49990", "-}"])
    #expect(patched(old, by: difference) == new)
  }

  @Test func `a difference of long texts that have much in common gives the new one`() {
    for _ in 0..<5 {
      func text() -> String {
        (0..<4_000).map { _ in "\(Int.random(in: 0...6_000))\n" }.joined()
      }
      let (old, new) = (text(), text())
      #expect(patched(old, by: diff(old, new)) == new)
    }
  }
}
