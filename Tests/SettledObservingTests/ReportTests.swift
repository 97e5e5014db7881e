import Observation
import SettledObserving
import Synchronization
import Testing

/// A property that users watch with `didSet`.
@Observable
final class Watched: Model {
  @ObservationIgnored let _$observationRegistrar = Tracking()
  @ObservationIgnored var sets = 0
  var number = 0 {
    didSet { sets += 1 }
  }
}

/// A generic model, whose key paths are made anew at each use.
@Observable
final class Box<Content>: Model {
  @ObservationIgnored let _$observationRegistrar = Tracking()
  var content: Content?
  var other = 0
}

/// What was reported against other implementations, and holds here.
///
/// Above each stands where; further reports are covered by tests named for what they ask for.
@ObservingActor
struct ReportTests {
  // swift #78151, #79518
  @Test func `setting an equal value runs the property's didSet and tells nobody`() {
    let watched = Watched()
    let log = Log<Int>()
    let token = observe({ watched.number }, initial: false) { log.append($1) }
    for _ in 0..<3 { transaction { watched.number = 0 } }
    #expect(watched.sets == 3)
    #expect(log.entries.isEmpty)
    token.cancel()
  }

  // swift #71122
  @Test func `appending to an observed array does not copy it`() {
    let limits = Limits()
    limits.names.reserveCapacity(100)
    let token = observe({ limits.names.count }) { _, _ in }
    let address = { limits.names.withUnsafeBufferPointer { $0.baseAddress } }
    limits.names.append("")
    let before = address()
    for _ in 1..<100 { limits.names.append("") }
    #expect(address() == before)
    token.cancel()
  }

  // swift #81066
  @Test func `a generic model is observed property by property`() {
    let box = Box<String>()
    let log = Log<String>()
    let tokens = [
      observe({ box.content }, initial: false) { log.append($1 ?? "-") },
      observe({ box.other }, initial: false) { log.append("\($1)") },
    ]
    for turn in 0..<3 { transaction { box.content = "\(turn)" } }
    transaction { box.other = 7 }
    #expect(log.entries == ["0", "1", "2", "7"])
    tokens.forEach { $0.cancel() }
  }

  // swift #88045
  @Test func `writing one property does not run observers of another`() {
    let pair = Pair()
    let log = Log<Int>()
    let token = observe({
      log.append(-1)
      return pair.a
    }) { log.append($1) }
    for number in 0..<1_000 { transaction { pair.b = number } }
    #expect(log.entries == [-1, 0])
    token.cancel()
  }

  // swift #86083
  @Test func `every closure is called on the actor`() async throws {
    let pair = Pair()
    let count = Log<Int>()
    @ObservingActor func check() {
      ObservingActor.shared.preconditionIsolated()
      count.append(1)
    }
    func isSame(_ former: Int, _ new: Int) -> Bool {
      check()
      return former == new
    }
    func token() -> Int? {
      check()
      return 1
    }
    let memo = Memo("memo", isSame: isSame) {
      check()
      return pair.a
    }
    observe(
      { try memo.value }, token: token, willChange: { check() }, didChange: { _, _ in check() })
    await Task.detached { ObservingActor.sync { pair.a = 1 } }.value
    await Task.detached { await ObservingActor.run { pair.a = 2 } }.value
    #expect(count.entries.count == 13)
  }

  // swift #66725
  @Test func `a model may go while it has many observers`() async {
    let living = Probe.Counter()
    var tokens: [ObservationToken] = []
    var box: Box<Probe>? = Box()
    box?.content = Probe(living)
    for _ in 0..<10_000 {
      tokens.append(observe({ [weak box] in box?.other }, initial: false) { _, _ in })
    }
    box = nil
    await ObservingActor.run {}
    #expect(living.count == 0)
    tokens.forEach { $0.cancel() }
  }

  // VergeGroup/swift-state-graph #118
  @Test func `changes while a handler is busy are followed, and those after them`() {
    let pair = Pair()
    let log = Log<Int>()
    let token = observe({ pair.a }) { _, new in
      log.append(new)
      if new == 1 {
        pair.a = 2
        pair.a = 3
      }
    }
    transaction { pair.a = 1 }
    transaction { pair.a = 4 }
    #expect(log.entries == [0, 1, 3, 4])
    token.cancel()
  }

  // preactjs/signals #947
  @Test func `a value set back in a transaction and then set again is not stale`() throws {
    let pair = Pair()
    let memo = Memo("memo") { pair.a * 10 }
    #expect(try memo.value == 0)
    transaction {
      pair.a = 1
      pair.a = 0
    }
    transaction { pair.a = 1 }
    #expect(try memo.value == 10)
  }

  // preactjs/signals #536
  @Test func `a handler that writes what it only reads untracked runs once`() {
    let pair = Pair()
    let log = Log<Int>()
    let token = observe({ pair.a + untracked { pair.b } }) { _, _ in
      pair.b += 1
      log.append(pair.b)
    }
    transaction { pair.a = 1 }
    #expect(log.entries == [1, 2])
    token.cancel()
  }

  // swift #71412
  @Test func `a sequence is read by several tasks, all to the last value`() async {
    let pair = Pair()
    let sequence = values { pair.a }
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { for await value in sequence where value == 100 { break } }
      }
      for number in 1...100 { await ObservingActor.run { pair.a = number } }
    }
  }

  // manaflow-ai/cmux #5309
  @Test func `an iterator that several tasks share leaves none of them waiting`() async {
    let pair = Pair()
    let iterator = values { pair.a }.makeAsyncIterator()
    var first = iterator
    #expect(await first.next() == 0)
    let readers = (0..<4).map { [first] _ in
      Task {
        var iterator = first
        return await iterator.next()
      }
    }
    for reader in readers {
      await Task.yield()
      reader.cancel()
    }
    for reader in readers { #expect(await reader.value == nil) }
  }
}
