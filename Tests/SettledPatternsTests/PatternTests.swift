import SettledPatterns
import Testing

/// Regular expressions and the bounds on their work.
@Suite struct PatternTests {
  @Test(arguments: [
    ("a+b", "xaab", true), ("^a$", "a\n", false), ("a.c", "a\nc", false), ("^b", "a\nb", false),
    ("(?m)^b", "a\nb", true), ("(?i)STRASSE", "strasse", true), (#"\d"#, "٣", false),
    (#"\pL"#, "ñ", true), (#"\p{Greek}+$"#, "πέντε", true), (#"[[:digit:]]"#, "4", true),
    (#"\Qa.b\E"#, "a.b", true), (#"\Qa.b\E"#, "axb", false), ("(?P<n>x)", "x", true),
    (#"\x{1F600}"#, "😀", true), ("a{2,3}", "aa", true), ("", "", true), ("[]a]", "]", true),
  ])
  func `a pattern means what it does to RE2`(source: String, text: String, matches: Bool) throws {
    #expect(try Pattern(source).matches(text) == matches)
  }

  @Test(arguments: [
    "(a)\\1", "(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b", "(?>a)", "a++", "a*+", "(?R)", "(*FAIL)",
    "\\Ka", "\\Z", "(?(1)a)", "(?C1)", "\\C", "a{1001}", "(", "[", "*",
  ])
  func `what RE2 does not have is refused`(source: String) throws {
    let error = #expect(throws: PatternError.self) { try Pattern(source) }
    #expect(error?.offset != nil)
  }

  @Test(arguments: [
    (#"^\d+$"#, "٣", false), (#"^\w$"#, "é", false), (#"^\s$"#, "\u{FEFF}", true),
    (#"^\S$"#, "\u{A0}", false), (#"^\p{Letter}+$"#, "ñé", true),
    (#"^\p{Script=Greek}+$"#, "πέντε", true), (#"\p{Lu}"#, "a", false),
    (#"^\u{1F600}$"#, "😀", true),
    (#"^\uD83D\uDE00$"#, "😀", true), ("^a$", "a\n", false), ("^.$", "\u{2028}", false),
    ("[^]", "\n", true), ("(?=a)a", "a", true), (#"(a)\1"#, "aa", true), (#"\cA"#, "\u{1}", true),
    (#"^[\d\-]+$"#, "1-2", true), (#"\/"#, "/", true), ("(?<n>x)", "x", true),
  ])
  func `a pattern means what it does to ECMAScript`(
    source: String, text: String, matches: Bool
  ) throws {
    #expect(try Pattern(source, syntax: .ecmaScript).matches(text) == matches)
  }

  @Test(arguments: [#"\a"#, #"\Z"#, #"\e"#, #"\p{Nonsense}"#, #"\x1"#, #"\u{110000}"#, "(", #"\"#])
  func `what ECMAScript does not have is refused`(source: String) throws {
    #expect(throws: PatternError.self) { try Pattern(source, syntax: .ecmaScript) }
  }

  @Test(arguments: [
    "^(a+)+$", "^(a|aa)+$", "^(a*)*[bc]", "(x+x+)+[yz]", "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)[bc]",
  ])
  func `a pattern that explodes ends in an error`(source: String) throws {
    let text = String(repeating: "a", count: 5000) + String(repeating: "x", count: 5000)
    let error = #expect(throws: PatternError.self) { try Pattern(source).matches(text) }
    #expect(error?.kind == .limit)
  }

  @Test func `patterns that grow when they are compiled are refused`() {
    #expect(throws: PatternError.self) { try Pattern("((((a{100}){100}){100}){100}){100}") }
    #expect(throws: PatternError.self) { try Pattern(String(repeating: "(", count: 4000)) }
    let error = #expect(throws: PatternError.self) {
      try Pattern(String(repeating: "a", count: 5000))
    }
    #expect(error?.message == "the pattern is longer than 4096 bytes")
  }

  @Test func `the work of a search is counted`() throws {
    let pattern = try Pattern("^(a|b)*c")
    var short = 0
    var long = 0
    #expect(try !pattern.matches("ab", countingSteps: &short))
    #expect(try !pattern.matches(String(repeating: "ab", count: 5000), countingSteps: &long))
    #expect(short < long)
  }
}
