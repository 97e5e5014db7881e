import Expressions
import SettledValues
import TestSupport
import Testing

/// The table of functions, which is also the reference page.
@Suite struct FunctionTableTests {
  private static let entries = FunctionReference.groups.flatMap(\.entries)

  @Test func `every example gives what the reference says`() throws {
    for entry in Self.entries {
      #expect(!entry.examples.isEmpty, "\(entry.name)")
      for example in entry.examples {
        let value = try Expression(example.call).evaluate(ValueLookup([:]))
        let result = try Expression(example.result).evaluate(ValueLookup([:]))
        #expect(value == result, "\(example.call)")
      }
    }
  }

  @Test func `names are unique and summaries are sentences`() {
    let names = Self.entries.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Self.entries.filter { !$0.summary.hasSuffix(".") }.map(\.name) == [])
  }

  @Test func `the page of the documentation is the one the table makes`() throws {
    let path = Suites.packageRoot + "/Sources/Expressions/Expressions.docc/Functions.md"
    if environment("SETTLED_UPDATE") != nil {
      try writeFile(Array(FunctionReference.markdown.utf8), to: path)
    }
    let page = try #require(readFile(path))
    #expect(String(decoding: page, as: UTF8.self) == FunctionReference.markdown)
  }
}
