import Generations
import Glibc
import SettledInputs
import SettledObserving
import SettledValues
import Targets
import TestSupport
import Testing

/// Large inputs of the last good generation have files of their own, which are written once.
@Suite struct LargeInputsTests {
  let directory: TemporaryDirectory
  let store: LastGood
  private let generator: Generator

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write("layers: [in/*.yaml]\n", to: "settled.yaml")
    mkdir(directory.path("in"), 0o755)
    mkdir(directory.path("state"), 0o700)
    store = LastGood(stateDirectory: directory.path("state"))
    let manifest = directory.path("settled.yaml")
    generator = ObservingActor.sync { Generator(manifest: manifest) }
    for name in ["a", "b", "c"] { try write(name, bytes: 30_000) }
    try write("small", bytes: 100)
  }

  private func write(_ name: String, bytes: Int, _ filler: Character = "x") throws {
    let text = "\(name): \(String(repeating: filler, count: bytes))\n"
    try directory.write(text, to: "in/\(name).yaml")
  }

  private func inputs(_ number: Int64, after former: StoredInputs? = nil) throws -> StoredInputs {
    switch ObservingActor.sync({ generator.prepare() }) {
    case .candidate(let candidate):
      return StoredInputs(number: number, candidate.inputs, after: former)
    case .refused(let refusal, _): throw refusal
    }
  }

  private var parts: [String] { names(in: directory.path("state/last-good.d")) }

  /// Whether what is stored are the inputs as they stand on the disk.
  private func holdsAll() throws -> Bool {
    let stored = try #require(store.load())
    return ["settled.yaml", "in/a.yaml", "in/b.yaml", "in/c.yaml", "in/small.yaml"]
      .allSatisfy { name in
        let path = directory.path(name)
        return readFile(path) == stored.bytes(of: path)
      }
  }

  @Test func `of a generation the inputs that changed are written, and what names them`() throws {
    let first = try inputs(1)
    #expect(try store.put(first) == ["1-1", "1-2", "1-3", "last-good"])
    #expect(try holdsAll())
    #expect(names(in: directory.path("state")) == ["last-good", "last-good.d"])
    try write("b", bytes: 30_000, "y")
    let second = try inputs(2, after: first)
    #expect(try store.put(second, after: first) == ["2-2", "last-good"])
    #expect(parts == ["1-1", "1-2", "1-3", "2-2"])
    store.removeParts(of: first, besides: second)
    #expect(parts == ["1-1", "1-3", "2-2"])
    #expect(try holdsAll())
    // After a restart all is known as well: what is small is stored with what names it.
    try write("small", bytes: 200)
    let stored = try #require(store.load())
    #expect(try store.put(try inputs(3, after: stored), after: stored) == ["last-good"])
    #expect(try holdsAll())
    // Where it is not known what is stored, all of it is written, under names that nothing has.
    #expect(try store.put(try inputs(4)) == ["4-1", "4-2", "4-3", "last-good"])
    #expect(try holdsAll())
    #expect(parts == ["4-1", "4-2", "4-3"], "the rest went when it was read")
  }

  @Test func `inputs that are few again are in one file, and the directory goes`() throws {
    let large = try inputs(1)
    try store.put(large)
    for name in ["a", "b", "c"] { try write(name, bytes: 10_000) }
    #expect(try store.put(try inputs(2, after: large), after: large) == ["last-good"])
    #expect(try holdsAll())
    #expect(names(in: directory.path("state")) == ["last-good"])
  }

  @Test func `what a version without such files stored is read`() throws {
    let paths = ["settled.yaml", "in/a.yaml", "in/b.yaml", "in/c.yaml", "in/small.yaml"]
      .map(directory.path)
    var content: [UInt8] = []
    let list = try paths.map { path -> Value in
      let bytes = try #require(readFile(path))
      content += bytes
      return ["path": .string(path), "size": .int(Int64(bytes.count))]
    }
    var summed = Array(try JSON.text(.list([7] + list)).utf8)
    summed += content
    let header: Value = [
      "version": 1, "generation": 7, "inputs": .list(list),
      "check": .string(Checksum.text(Checksum.sum(summed))),
    ]
    try writeFile(
      Array(try JSON.text(header).utf8) + [UInt8(ascii: "\n")] + content,
      to: directory.path("state/last-good"))
    #expect(try holdsAll())
    let stored = try #require(store.load())
    #expect(stored.number == 7)
    let next = try inputs(8, after: stored)
    #expect(try store.put(next, after: stored) == ["8-1", "8-2", "8-3", "last-good"])
  }

  @Test(arguments: ["1-2", "last-good"])
  func `where a byte of a file is damaged, or it is lost, nothing is stored`(name: String) throws {
    try store.put(try inputs(1))
    let path = directory.path(name == "last-good" ? "state/last-good" : "state/last-good.d/\(name)")
    try store.expectNoticesDamage(of: path, every: name == "last-good" ? 1 : 997)
    unlink(path)
    #expect(store.load() == nil)
  }
}
