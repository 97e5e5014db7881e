import Targets
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

  @Test func `a text that was empty has all lines added`() {
    #expect(diff("", "one\ntwo") == "--- a\n+++ b\n@@ -1 +1,2 @@\n-\n+one\n+two\n")
  }
}
