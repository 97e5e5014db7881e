import SettledObserving
import SettledSettings
import SettledValues
import SettledYAML
import TestSupport
import Testing

@ObservingActor
struct StoreTests {
  @Test func `who reads a leaf hears of that leaf only`() throws {
    let store = SettingsStore(try merged("a: 1\nb: {c: 2, d: 3}"))
    let reader = Reader(store, .leaf(Path([.key("b"), .key("c")])))
    store.replace(with: try merged("a: 5\nb: {c: 2, d: 4}"))
    #expect(reader.evaluations == 1)
    store.replace(with: try merged("a: 5\nb: {c: 7, d: 4}"))
    #expect(reader.evaluations == 2)
    #expect(reader.last == 7)
  }

  @Test func `a missing member is heard of when it appears`() throws {
    let store = SettingsStore(try merged("b: {x: 1}"))
    let reader = Reader(store, .leaf(Path([.key("b"), .key("c")])))
    #expect(reader.last == "absent")
    store.replace(with: try merged("b: {c: 2, x: 1}"))
    #expect(reader.last == 2)
    store.replace(with: try merged("b: {c: {d: 1}, x: 1}"))
    #expect(reader.last == "map")
    store.replace(with: try merged("b: 1"))
    #expect(reader.last == "absent")
    #expect(reader.evaluations == 4)
  }

  @Test func `who reads the keys does not hear of the values`() throws {
    let store = SettingsStore(try merged("m: {a: 1, b: 2}\nl: [1, 2]"))
    let keys = Reader(store, .keys(Path([.key("m")])))
    let count = Reader(store, .keys(Path([.key("l")])))
    store.replace(with: try merged("m: {a: 9, b: 8}\nl: [3, 4]"))
    #expect(keys.evaluations == 1)
    #expect(count.evaluations == 1)
    store.replace(with: try merged("m: {a: 9, c: 8}\nl: [3]"))
    #expect(keys.last == ["a", "c"])
    #expect(count.last == 1)
  }

  @Test func `several changes are one notification`() throws {
    let store = SettingsStore(try merged("a: 1\nb: 2\nc: 3"))
    var told: [Value] = []
    let token = observe({ Value.list(["a", "b"].map { store.value(at: Path([.key($0)])) ?? nil }) })
    {
      told.append($1)
    }
    store.replace(with: try merged("a: 4\nb: 5\nc: 3"))
    transaction {
      store.replace(with: Settings())
      store.replace(with: (try? merged("a: 6\nb: 7")) ?? Settings())
    }
    #expect(told == [[1, 2], [4, 5], [6, 7]])
    token.cancel()
  }

  @Test func `a value that is written in another way is no change`() throws {
    let store = SettingsStore(try merged("a: 31\nb: x"))
    let number = Reader(store, .leaf(Path([.key("a")])))
    let text = Reader(store, .leaf(Path([.key("b")])))
    store.replace(with: try merged("# moved\na: 0x1F\nb: 'x'"))
    #expect(number.evaluations == 1)
    #expect(text.evaluations == 1)
  }

  @Test func `reading something secret is counted, in every way of reading`() throws {
    let secret = YAMLDocument(
      scalar: Array("pw".utf8), isPlain: false, file: "credential", isSecret: true)
    let store = SettingsStore(
      try Settings([Layer(try document("db: {user: u}")), Layer(secret, at: ["db", "password"])]))
    let lookup = store.lookup()
    guard case .container(let db)? = lookup.lookUp("db") else { throw Missing() }
    _ = try db.member("user")
    _ = (db.keys, db.count)
    #expect(lookup.secretReads == 0)
    _ = try db.member("password")
    #expect(lookup.secretReads == 1)
    _ = try db.whole()
    #expect(lookup.secretReads == 2)
  }

  @Test func `the keys of a secret file are secret as well`() throws {
    let tokens = try YAMLDocument.read(
      Array("abc123: admin\n".utf8), file: "tokens.yaml", isSecret: true)
    let store = SettingsStore(try Settings([Layer(tokens, at: ["tokens"])]))
    let lookup = store.lookup()
    guard case .container(let map)? = lookup.lookUp("tokens") else { throw Missing() }
    #expect(lookup.secretReads == 0)
    _ = map.keys
    #expect(lookup.secretReads == 1)
  }

  @Test func `a value that becomes secret is a change`() throws {
    let open = try document("a: 1")
    let secret = try YAMLDocument.read(Array("a: 1".utf8), file: "s", isSecret: true)
    let store = SettingsStore(try Settings([Layer(open)]))
    let reader = Reader(store, .leaf(Path([.key("a")])))
    store.replace(with: try Settings([Layer(secret)]))
    #expect(reader.evaluations == 2)
  }

  @Test(arguments: 1...4)
  func `of many that read values deep down each hears of its own`(depth: Int) throws {
    func text(_ value: Int) -> String {
      let open = (1..<depth).map { "{n\($0): " }.joined()
      let close = String(repeating: "}", count: depth - 1)
      return (0..<300).map { "k\($0): \(open)\(value)\(close)" }.joined(separator: "\n")
    }
    let store = SettingsStore(try merged(text(1)))
    var told: Set<Int> = []
    let tokens = (0..<300).map { number in
      let keys = ["k\(number)"] + (1..<depth).map { "n\($0)" }
      return observe({ store.value(at: Path(keys.map { .key($0) })) }) {
        if $1 == 2 { told.insert(number) }
      }
    }
    store.replace(with: try merged(text(2)))
    #expect(told == Set(0..<300))
    for token in tokens { token.cancel() }
    #expect(store.observedPaths == 0)
  }

  @Test func `who reads far apart elements hears of each alone`() throws {
    func text(_ changed: Int?) -> String {
      "l: [" + (0..<600).map { (n: Int) in n == changed ? "x" : "\(n)" }.joined(separator: ", ")
        + "]"
    }
    let store = SettingsStore(try merged(text(nil)))
    let positions = [0, 1, 2, 254, 255, 256, 257, 599]
    let readers = positions.map { Reader(store, .leaf(Path([.key("l"), .index($0)]))) }
    for (position, reader) in zip(positions, readers) {
      store.replace(with: try merged(text(position)))
      #expect(reader.last == "x")
      store.replace(with: try merged(text(nil)))
      #expect(reader.evaluations == 3)
    }
    #expect(readers.allSatisfy { $0.evaluations == 3 })
  }

  @Test func `paths that nobody reads any more are dropped`() throws {
    let text = (0..<500).map { "k\($0): \($0)" }.joined(separator: "\n")
    let store = SettingsStore(try merged(text))
    for key in 0..<500 {
      let reader = Reader(store, .leaf(Path([.key("k\(key)")])))
      reader.token?.cancel()
    }
    #expect(store.observedPaths == 0)
    let reader = Reader(store, .leaf(Path([.key("k1")])))
    #expect(store.observedPaths == 1)
    reader.token?.cancel()
  }

  @Test func `facts and all settings have names of their own`() throws {
    let store = SettingsStore(try merged("my-app: {port: 1}"))
    let lookup = store.lookup(facts: ["arch": "x86_64"])
    guard case .value(let facts)? = lookup.lookUp("facts") else { throw Missing() }
    #expect(facts == ["arch": "x86_64"])
    guard case .container(let all)? = lookup.lookUp("settings") else { throw Missing() }
    #expect(try all.whole() == ["my-app": ["port": 1]])
    #expect(lookup.lookUp("nothing") == nil)
  }

  @Test func `readers of many keys hear of those in the layer that changed`() throws {
    var (dice, heard) = (Dice(1), 0)
    for round in 1...200 {
      var layers = (0..<6).map { _ in dice.narrowEntries() }
      let store = SettingsStore(try Settings(layers.map { try Layer(narrow: $0) }))
      let readers = (0..<24).flatMap { key in
        let path = Path([.key("k\(key)")])
        return [Reading.leaf(path.appending("a")), .keys(path), .whole(path)]
          .map { Reader(store, $0) }
      }
      for _ in 0..<3 {
        let before = readers.map(\.evaluations)
        let former = store.settings
        dice.edit(&layers[dice.roll(6)])
        store.replace(with: try Settings(layers.map { try Layer(narrow: $0) }))
        let (old, new) = (former.value() ?? [:], store.settings.value() ?? [:])
        for (reader, count) in zip(readers, before) {
          let isAffected = reader.reading.trace(in: new) != reader.reading.trace(in: old)
          heard += isAffected ? 1 : 0
          #expect(
            reader.evaluations == (isAffected ? count + 1 : count),
            "round \(round) \(reader.reading)")
        }
        let changed = Set(store.settings.changes(since: former).compactMap(\.components.first))
        #expect(
          changed
            == Set(
              (0..<24).map { Path.Component.key("k\($0)") }.filter { key in
                value(at: Path([key]), of: old) != value(at: Path([key]), of: new)
              }), "round \(round)")
      }
    }
    #expect(heard > 400)
  }

  @Test func `random readers hear of exactly what they read`() throws {
    for seed in 1...30 {
      var dice = Dice(seed)
      var layers = try (0..<3).map { try dice.layer("\($0)", secrets: false).0 }
      let store = SettingsStore(try Settings(layers))
      let readers = (0..<30).map { _ in Reader(store, dice.reading(in: store.settings)) }
      for _ in 0..<6 {
        let old = store.settings.value() ?? [:]
        let before = readers.map(\.evaluations)
        if dice.roll(6) > 0 {
          layers[dice.roll(3)] = try dice.layer("new", secrets: false).0
        }
        store.replace(with: try Settings(layers))
        let new = store.settings.value() ?? [:]
        for (reader, count) in zip(readers, before) {
          let isAffected = reader.reading.trace(in: new) != reader.reading.trace(in: old)
          #expect(
            reader.evaluations == (isAffected ? count + 1 : count), "seed \(seed) \(reader.reading)"
          )
        }
      }
    }
  }
}

struct Missing: Error {}

extension Dice {
  typealias Entries = [(key: Value, value: Value)]

  /// Entries of a layer with few keys of many, with nulls.
  fileprivate mutating func narrowEntries() -> Entries {
    var entries: Entries = []
    for _ in 0..<roll(14) { add(to: &entries) }
    return entries
  }

  /// Edits a layer as people do: something is added, removed, changed, or moved.
  fileprivate mutating func edit(_ entries: inout Entries) {
    let position = roll(max(1, entries.count))
    switch roll(4) {
    case 0 where !entries.isEmpty: entries.remove(at: position)
    case 1 where !entries.isEmpty: entries.append(entries.remove(at: position))
    case 2 where !entries.isEmpty: entries[position].value = narrowValue()
    default: add(to: &entries, at: position)
    }
  }

  private mutating func add(to entries: inout Entries, at position: Int = 0) {
    let key = Value.string("k\(roll(24))")
    guard !entries.contains(where: { $0.key == key }) else { return }
    entries.insert((key: key, value: narrowValue()), at: position)
  }

  private mutating func narrowValue() -> Value {
    let values: [Value] = [
      .null, .int(Int64(roll(3))), ["a": .int(Int64(roll(2)))], ["a": .null, "b": 1],
    ]
    return values[roll(values.count)]
  }
}

extension Layer {
  fileprivate init(narrow entries: Dice.Entries) throws {
    let text = try JSON.text(.map(ValueMap(entries)))
    self.init(try YAMLDocument.read(Array(text.utf8), file: "narrow"))
  }
}

private func == (left: Found?, right: Found?) -> Bool {
  if case .none = left, case .none = right { return true }
  return false
}
