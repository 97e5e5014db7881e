import SettledValues
import Testing

@Suite struct PrintableTextTests {
  @Test(arguments: [
    ("plain, tab\tand gr\u{FC}n", "plain, tab\tand gr\u{FC}n"), ("a\u{1B}[31mb", "a\\u{1B}[31mb"),
    ("a\nb\r\nc", "a\\u{A}b\\u{D}\\u{A}c"), ("\u{0}\u{7}\u{8}\u{7F}", "\\u{0}\\u{7}\\u{8}\\u{7F}"),
    ("\u{85}\u{9B}1m\u{A0}", "\\u{85}\\u{9B}1m\u{A0}"),
    ("\u{2028}\u{2029}\u{202A}\u{202E}\u{202F}", "\\u{2028}\\u{2029}\\u{202A}\\u{202E}\u{202F}"),
    ("\u{2066}x\u{2069}\u{206A}", "\\u{2066}x\\u{2069}\u{206A}"), ("", ""),
    ("\u{5E9}\u{5DC}\u{5D5}\u{5DD}", "\u{5E9}\u{5DC}\u{5D5}\u{5DD}"),
  ])
  func `what steers is told by its number, and all else stays`(text: String, shown: String) {
    #expect(text.printable.unicodeScalars.elementsEqual(shown.unicodeScalars))
  }

  @Test func `lines stay where they are wanted`() {
    #expect("a\n\u{1B}b\r\n".printableLines == "a\n\\u{1B}b\\u{D}\n")
  }

  @Test(arguments: ["\u{1B}\u{7F}\u{9B}\u{202E}\u{2028}\u{2069}", "a\"\\\n\t/\u{1F600}"])
  func `JSON says the same where nothing in it steers`(text: String) throws {
    let shown = Quoting.json(text).printableJSON
    #expect(shown.printable == shown)
    #expect(try JSON.read(Array(shown.utf8)) == .string(text))
  }
}
