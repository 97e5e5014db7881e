import Generations
import Glibc
import SettledInputs
import SettledObserving
import SettledValues
import Targets
import TestSupport
import Testing

@Suite struct LastGoodTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write("layers: [shop.yaml, 'shop.*.yaml']\n", to: "settled.yaml")
    try directory.write("a: 1\n", to: "shop.yaml")
    try directory.write("b: 2\n", to: "shop.10.yaml")
  }

  private func prepare(lastGood: StoredInputs? = nil) throws -> Candidate {
    let manifest = directory.path("settled.yaml")
    let preparation = ObservingActor.sync {
      Generator(manifest: manifest, lastGood: lastGood).prepare()
    }
    guard case .candidate(let candidate) = preparation else {
      throw SystemFault("refused: \(preparation)")
    }
    return candidate
  }

  @Test func `what is stored is read back, and the same inputs are the same generation`() throws {
    let store = LastGood(stateDirectory: directory.path)
    try store.put(StoredInputs(number: 7, try prepare().inputs))
    let stored = try #require(store.load())
    #expect(stored.number == 7)
    let same = try prepare(lastGood: stored)
    #expect((same.number, same.isNew) == (7, false))
    try directory.write("b: 3\n", to: "shop.10.yaml")
    let other = try prepare(lastGood: stored)
    #expect((other.number, other.isNew) == (8, true))
  }

  @Test func `a last good generation needs nothing that stands on the disk`() throws {
    let stored = StoredInputs(number: 7, try prepare().inputs)
    for name in ["settled.yaml", "shop.yaml", "shop.10.yaml"] {
      #expect(unlink(directory.path(name)) == 0)
    }
    let manifest = directory.path("settled.yaml")
    let generation = ObservingActor.sync {
      let generator = Generator(manifest: manifest, lastGood: stored)
      guard case .refused = generator.prepare(),
        case .candidate = generator.prepareLastGood()
      else { return nil as Generation? }
      return generator.accept()
    }
    #expect(generation?.number == 7)
    #expect(generation?.shownSettings == ["a": 1, "b": 2])
  }

  @Test(arguments: ["", "\n", "# a: 1\n", "---\n"])
  func `a layer that had content and has none is refused, now and after a restart`(
    text: String
  ) throws {
    let manifest = directory.path("settled.yaml")
    let stored = StoredInputs(number: 7, try prepare().inputs)
    let running = ObservingActor.sync {
      let generator = Generator(manifest: manifest)
      _ = generator.prepare()
      generator.accept()
      return generator
    }
    try directory.write(text, to: "shop.10.yaml")
    for generator in [
      running, ObservingActor.sync { Generator(manifest: manifest, lastGood: stored) },
    ] {
      guard case .refused(let refusal, _) = ObservingActor.sync({ generator.prepare() }) else {
        Issue.record("not refused")
        continue
      }
      #expect(
        refusal.text == """
          shop.10.yaml: error: the file had content, and has none any more
            hint: write {} to say that it sets nothing
          """)
    }
    try directory.write("{}\n", to: "shop.10.yaml")
    #expect(try prepare(lastGood: stored).isNew)
  }

  @Test func `damage of any byte is noticed`() throws {
    let store = LastGood(stateDirectory: directory.path)
    try store.put(StoredInputs(number: 7, try prepare().inputs))
    try store.expectNoticesDamage(of: directory.path("last-good"))
  }
}

extension LastGood {
  /// Damages one byte in every `step` of a file of it, and then takes the last one away, which is to
  /// leave nothing stored.
  func expectNoticesDamage(of path: String, every step: Int = 1) throws {
    let bytes = try #require(readFile(path))
    for position in stride(from: 0, to: bytes.count, by: step) {
      var damaged = bytes
      damaged[position] ^= 0x10
      try writeFile(damaged, to: path)
      #expect(load() == nil, "byte \(position)")
    }
    try writeFile(Array(bytes.dropLast()), to: path)
    #expect(load() == nil)
  }

  /// Writes the files of inputs, and tells their names.
  @discardableResult
  func put(_ inputs: StoredInputs, after former: StoredInputs? = nil) throws -> [String] {
    try files(holding: inputs, after: former).map { file in
      try Directories.make(FilePaths.directory(of: file.path), mode: 0o700)
      try AtomicFile.write(file.bytes, to: file.path)
      return FilePaths.name(of: file.path)
    }
  }
}
