import SettledValues
import TestSupport
import Testing

@Suite struct `the conformance suites` {
  @Test(arguments: ["cel", "template", "yaml"])
  func `are read line by line`(folder: String) throws {
    for file in Suites.files(in: folder, ending: ".jsonl") {
      let lines = try #require(try Suites.lines(of: file))
      #expect(!lines.isEmpty)
      #expect(lines.allSatisfy { $0.typeName == "map" })
    }
  }

  @Test func `are JSON texts`() throws {
    for file in Suites.files(in: "json-schema/draft2020-12", ending: ".json") {
      let groups = try JSON.read(try #require(Suites.bytes(of: file)))
      #expect(try JSON.read(JSON.text(groups, indent: 2)) == groups)
    }
  }

  @Test func `show bytes that are not text as such`() throws {
    let line = #"{"in": "\udcffA", "out": "A"}"#
    let value = try JSON.read(Array(line.utf8), loneSurrogates: .bytes)
    #expect(value["in"]?.rawBytes == [0xFF, 0x41])
    #expect(value["out"]?.rawBytes == [0x41])
    #expect(value["none"]?.rawBytes == nil)
  }
}
