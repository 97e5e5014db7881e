import SettledValues
import SettledYAML
import TestSupport
import Testing

/// What users reported of YAML in settings, one file a report in `PublicCases`: the report and what
/// is right, the file, and what becomes of it.
///
/// Of the three parts, which lines of `=` divide, the last has the verdict on the file as a whole,
/// then what single values come to as a type: `PATH TYPE = ANSWER`. In the file `⟦3×text⟧` stands
/// for `text` three times.
@Suite struct PublicCaseTests {
  private static let folder = Suites.packageRoot + "/Tests/SettledYAMLTests/PublicCases"
  private static let numbers = (1...45).map { ($0 < 10 ? "0" : "") + "\($0)" }

  @Test func `every one of the 45 reports has its file`() {
    #expect(names(in: Self.folder).map { String($0.prefix(2)) } == Self.numbers)
  }

  @Test(arguments: numbers)
  func `a file that users reported has the right values, or the right refusal`(
    _ number: String
  ) throws {
    let name = try #require(names(in: Self.folder).first { $0.hasPrefix(number) })
    let path = Self.folder + "/" + name
    let text = String(decoding: try #require(readFile(path)), as: UTF8.self)
    let parts = text.split(separator: "======\n", omittingEmptySubsequences: false)
    try #require(parts.count == 3, "a title, a file and its answers")
    let asked = parts[2].split(separator: "\n").filter { $0.contains(" = ") }
    let bytes = Array(Self.expanded(parts[1]).utf8)
    var answers = [Verdict.text(bytes)]
    for line in asked {
      let question = line.prefix(upTo: try #require(line.firstRange(of: " = ")).lowerBound)
      answers.append("\(question) = \(try answer(to: question, in: bytes))")
    }
    let judged = answers.map { $0 + "\n" }.joined()
    if environment("SETTLED_GOLDEN") == "write" {
      try writeFile(
        Array("\(parts[0])======\n\(parts[1])======\n\(judged)".utf8), to: path)
    }
    #expect(judged == parts[2])
  }

  /// Reads a value as a type, or tells why it is none.
  private func answer(to question: Substring, in bytes: [UInt8]) throws -> String {
    let words = question.split(separator: " ")
    var node = try YAMLDocument.read(bytes, file: "").root
    for piece in words[0].split(separator: ".") {
      if let index = Int(piece), node?.kind == .list, let items = node?.elements {
        node = Array(items)[index]
      } else {
        node = node?[String(piece)]
      }
    }
    let found = try #require(node, "nothing at '\(words[0])'")
    do {
      switch words[1] {
      case "string": return "\"\(try found.string())\""
      case "int": return "\(try found.int())"
      case "double": return "\(try found.double())"
      case "bool": return "\(try found.bool())"
      default: return "no type"
      }
    } catch {
      return error.diagnostics.map { finding in
        Verdict.summary(finding) + (finding.hint.map { " (\($0))" } ?? "")
      }.joined(separator: " | ")
    }
  }

  /// The file that a case stands for.
  private static func expanded(_ text: Substring) -> String {
    text.split(separator: "⟦", omittingEmptySubsequences: false).enumerated().map { index, piece in
      guard index > 0, let end = piece.firstIndex(of: "⟧"), let times = piece.firstIndex(of: "×"),
        let count = Int(piece[..<times])
      else { return String(piece) }
      return String(repeating: String(piece[piece.index(after: times)..<end]), count: count)
        + piece[piece.index(after: end)...]
    }.joined()
  }
}
