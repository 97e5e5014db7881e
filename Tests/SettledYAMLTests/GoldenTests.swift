import SettledValues
import SettledYAML
import TestSupport
import Testing

/// Files in `Golden`: an input, a line of `=`, and all that is said of it.
private let folder = Suites.packageRoot + "/Tests/SettledYAMLTests/Golden"

@Test(arguments: names(in: folder))
func `a file is judged as its golden answer says`(_ name: String) throws {
  let text = String(decoding: try #require(readFile(folder + "/" + name)), as: UTF8.self)
  let parts = text.split(separator: "======\n", maxSplits: 1, omittingEmptySubsequences: false)
  let answer = judged(Array(parts[0].utf8))
  if environment("SETTLED_GOLDEN") == "write" {
    try writeFile(Array((parts[0] + "======\n" + answer).utf8), to: folder + "/" + name)
  }
  #expect(answer == parts.dropFirst().first.map(String.init))
}

@Test func `nothing of a secret file is shown`() throws {
  for name in names(in: folder) {
    let text = try #require(readFile(folder + "/" + name))
    let secret = judged(text, isSecret: true)
    #expect(!secret.contains("\n  ") || secret.contains("\n  hint: "), "\(name)")
    #expect(!secret.contains("^"), "\(name)")
    #expect(!secret.contains("hunter2"), "\(name)")
  }
}

/// All findings on a file, as they are shown.
func judged(_ bytes: [UInt8], isSecret: Bool = false) -> String {
  do {
    let document = try YAMLDocument.read(bytes, file: "in.yaml", isSecret: isSecret)
    let findings = document.warnings + document.missingValues() + document.oddities()
    return findings.map { "\($0)\n" }.joined()
  } catch {
    return error.diagnostics.map { "\($0)\n" }.joined()
  }
}
