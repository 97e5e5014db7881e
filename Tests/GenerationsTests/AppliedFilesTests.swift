import Generations
import SettledValues
import Targets
import TestSupport
import Testing

/// What was applied is kept in parts where there is much of it.
@Suite struct AppliedFilesTests {
  private let directory: TemporaryDirectory
  private let store: AppliedFiles

  init() throws {
    directory = try TemporaryDirectory()
    store = AppliedFiles(stateDirectory: directory.path)
  }

  /// What was applied of so many targets, of which one has another digest.
  private func applied(_ count: Int, changed: Int? = nil) -> Applied {
    let files = (0..<count).map { number -> (key: Value, value: Value) in
      let digest = number == changed ? "b" : "a"
      let file: Value = ["path": .string("/x/\(number)"), "digest": .string(digest)]
      return (.string("t[\(number)]"), file)
    }
    return Applied(["files": .map(ValueMap(files)), "pending": ["t[1]"]])
  }

  @Test(arguments: [0, 1, 256, 257, 3000])
  func `what is stored is read back, whole or in parts`(count: Int) throws {
    try store.store(applied(count), after: nil)
    let (read, stored, damaged) = try store.load()
    #expect(read == applied(count))
    #expect(stored == read)
    #expect(damaged == [])
  }

  @Test func `of many targets one that changed is one file, of few it is the only one`() throws {
    let parts = store.files(holding: applied(3000, changed: 7), after: applied(3000))
    #expect(parts.count == 1)
    #expect(parts.allSatisfy { $0.bytes.count < 10_000 })
    #expect(store.files(holding: applied(3000), after: applied(3000)).isEmpty)
    let whole = store.files(holding: applied(3, changed: 1), after: applied(3))
    #expect(whole.map(\.path) == [directory.path("applied.json")])
  }

  @Test func `what grows beyond one file, and shrinks again, is read back whole`() throws {
    try store.store(applied(100), after: nil)
    try store.store(applied(300), after: applied(100))
    #expect(try store.load().applied == applied(300))
    try store.store(applied(100), after: applied(300))
    #expect(try store.load().applied == applied(100))
    #expect(names(in: directory.path) == ["applied.json"])
  }

  @Test func `many in one file, as another version wrote them, are written in parts`() throws {
    try writeFile(SealedJSON.encode(applied(300).value), to: directory.path("applied.json"))
    let (read, stored, damaged) = try store.load()
    #expect(read == applied(300))
    #expect(stored == nil)
    #expect(damaged == [])
    #expect(store.files(holding: read, after: stored).count == AppliedFiles.partCount + 1)
  }

  @Test func `of a part that is damaged or lost nothing counts, and it is told`() throws {
    try store.store(applied(3000), after: nil)
    let path = directory.path("applied-0.json")
    var bytes = try #require(readFile(path))
    bytes[bytes.count / 2] ^= 1
    try writeFile(bytes, to: path)
    let (read, stored, damaged) = try store.load()
    #expect(stored == nil)
    #expect(damaged == [path + ".damaged"])
    #expect(read != applied(3000))
    // What is left counts: only that part has to be written again.
    #expect(store.files(holding: applied(3000), after: read).map(\.path) == [path])
    #expect(try store.load().damaged == [path])
  }
}
