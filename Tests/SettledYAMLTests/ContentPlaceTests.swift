import SettledValues
import SettledYAML
import TestSupport
import Testing

struct ContentPlaceTests {
  @Test(arguments: [
    ("a: one two", 4, "1:8"),
    ("a: one\n  two", 4, "2:3"),
    ("a: one\n\n  two", 4, "3:3"),
    ("a: 'it''s'", 3, "1:9"),
    ("a: \"\\u00e9x\"", 2, "1:11"),
    ("a: \"x\\\n   y\"", 1, "2:4"),
    ("a: \"é é\"", 3, "1:7"),
    ("a: |\n  one\n  two\n", 4, "3:3"),
    ("a: |\n   one\n    two\n", 4, "3:4"),
    ("a: >-\n  one\n  two\n\n  three\n", 8, "5:3"),
    ("a: >\n  one\n    two\n  three\n", 4, "3:3"),
    ("a: !!str &x\n  text", 2, "2:5"),
    ("a: |2\n   x\n", 1, "2:4"),
    ("a: abc", 3, "1:7"),
  ])
  func `an offset in the text has its place in the file`(
    _ yaml: String, _ offset: Int, _ place: String
  ) throws {
    let document = try YAMLDocument.read(Array(yaml.utf8), file: "f")
    let node = try #require(document.root?["a"])
    #expect(node.place(ofContentOffset: offset).description == "f:\(place)")
  }

  @Test func `each letter of a text is found where it is written`() throws {
    var letters = 0
    for item in try Case.all(of: "yaml/suite.jsonl") + Case.all(of: "yaml/probes.jsonl") {
      guard let root = (try? YAMLDocument.read(item.yaml, file: "f"))?.root else { continue }
      let lines = item.yaml.drop { $0 >= 0xEF }.split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for node in scalars(in: root) where node.aliasPlace == nil {
        for (offset, byte) in node.text.utf8.enumerated() where byte > 0x20 && byte < 0x7F {
          let place = node.place(ofContentOffset: offset)
          let line = String(decoding: lines[place.line - 1], as: UTF8.self).unicodeScalars
          let found = line.dropFirst(place.column - 1).first
          #expect(found?.value == UInt32(byte) || found == "\\", "\(item.name) \(offset) \(place)")
          letters += 1
        }
      }
    }
    print("letters found in the suite's texts: \(letters)")
  }

  private func scalars(in node: YAMLNode) -> [YAMLNode] {
    switch node.kind {
    case .map: node.entries.flatMap { scalars(in: $0.value) }
    case .list: node.elements.flatMap { scalars(in: $0) }
    case .scalar: [node]
    }
  }
}
