import Generations
import Glibc
import SettledInputs
import SettledObserving
import SettledValues
import Targets
import TestSupport
import Testing

/// Golden cases: a file holds inputs under `== NAME` and, under `== refused`, what is said of them.
///
/// `== environment` holds variables, a line each, in which DIR stands for the directory.
///
/// With `SETTLED_BLESS=1` in the environment the answers are written anew, to be read in the diff.
@Suite struct RefusedTests {
  private static let folder = FilePaths.directory(of: #filePath) + "/Refused"

  static var cases: [String] {
    (Glob(folder + "/*.txt").map { (try? $0.names()) ?? [] } ?? []).sorted()
  }

  @Test(arguments: cases)
  func `refused inputs are told with place and reason, and nothing is touched`(
    name: String
  ) throws {
    let path = Self.folder + "/" + name
    let bytes = try #require(try AtomicFile.read(path, limit: 1 << 20))
    var sections = Self.sections(String(decoding: bytes, as: UTF8.self))
    let expected = sections.removeValue(forKey: "refused") ?? ""
    let variables = sections.removeValue(forKey: "environment") ?? ""
    let directory = try TemporaryDirectory()
    for (name, text) in sections {
      try Directories.make(FilePaths.directory(of: directory.path(name)), mode: 0o755)
      try directory.write(text, to: name)
    }
    let said = try refusal(in: directory.path, variables)
    if getenv("SETTLED_BLESS") != nil {
      try bless(path, String(decoding: bytes, as: UTF8.self), said)
    } else {
      #expect(said == expected)
    }
    #expect(FileIdentity.following(directory.path + "/root") == nil)
  }

  private func refusal(in directory: String, _ variables: String) throws -> String {
    let environment = ProcessEnvironment(
      variables.split(separator: "\n").map { line in
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts[1].split(separator: "DIR", omittingEmptySubsequences: false)
        return (String(parts[0]), Array(value.joined(separator: directory).utf8))
      })
    let preparation = ObservingActor.sync {
      Generator(
        manifest: directory + "/settled.yaml", root: directory + "/root", environment: environment
      ).prepare()
    }
    guard case .refused(let refusal, _) = preparation else { return "not refused\n" }
    return refusal.diagnostics.map { $0.description + "\n" }.joined()
      .split(separator: directory, omittingEmptySubsequences: false).joined(separator: "DIR")
  }

  private func bless(_ path: String, _ text: String, _ said: String) throws {
    let inputs = text.split(separator: "== refused\n", omittingEmptySubsequences: false)[0]
    try AtomicFile.write(Array((inputs + "== refused\n" + said).utf8), to: path)
    #expect(chmod(path, 0o644) == 0)
  }

  private static func sections(_ text: String) -> [String: String] {
    var sections: [String: String] = [:]
    var name = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if line.hasPrefix("== ") {
        name = String(line.dropFirst(3))
        sections[name] = ""
      } else {
        sections[name, default: ""] += line + "\n"
      }
    }
    return sections
  }
}
