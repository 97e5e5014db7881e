import SettledInputs
import TestSupport
import Testing

@Suite struct InputSetTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// What is read of these files.
  private func inputs(_ names: [String]) throws -> InputSet {
    var inputs = InputSet(base: directory.path, after: nil)
    for name in names { _ = try inputs.read(directory.path(name)) }
    return inputs
  }

  @Test func `a file that was just emptied may be about to be written`() throws {
    try writeFile([], to: directory.path("empty"))
    try writeFile(Array("a\n".utf8), to: directory.path("full"))
    #expect(try inputs(["full"]).haveJustEmptied == false)
    #expect(try inputs(["full", "empty"]).haveJustEmptied)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a file that stays empty is what its writer wants`() throws {
    try writeFile([], to: directory.path("empty"))
    while try inputs(["empty"]).haveJustEmptied {}
    #expect(try inputs(["empty"]).haveJustEmptied == false)
  }
}
