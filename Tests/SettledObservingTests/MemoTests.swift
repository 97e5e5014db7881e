import SettledObserving
import Testing

@ObservingActor
struct MemoTests {
  struct Refused: Error, Equatable {
    var reason: Int
  }

  @Test func `a memo is evaluated at most once for each change`() {
    let app = App()
    #expect(app.perWorker == 5)
    #expect(app.perWorker == 5)
    #expect(app.evaluations == 1)
    transaction {
      app.limits.maxOpen = 40
      app.workers = 4
    }
    #expect(app.evaluations == 1)
    #expect(app.perWorker == 10)
    app.title = "other"
    #expect(app.perWorker == 10)
    #expect(app.evaluations == 2)
  }

  @Test func `a diamond is evaluated once and without a torn value`() {
    let pair = Pair()
    let log = Log<Int>()
    let double = Memo("double") { pair.a * 2 }
    let triple = Memo("triple") { pair.a * 3 }
    let difference = Memo("difference") { try triple.value - double.value }
    let token = observe({ try difference.value }) { log.append($1) }
    for number in 1...3 { transaction { pair.a = number } }
    #expect(log.entries == [0, 1, 2, 3])
    token.cancel()
  }

  @Test func `an equal outcome stops there`() {
    let pair = Pair()
    let log = Log<Int>()
    let tens = Memo("tens") { pair.a / 10 }
    let label = Memo("label") {
      log.append(-1)
      return try tens.value + 1
    }
    let token = observe({ try label.value }) { log.append($1) }
    for number in 1...9 { transaction { pair.a = number } }
    #expect(log.entries == [-1, 1])
    transaction { pair.a = 10 }
    #expect(log.entries == [-1, 1, -1, 2])
    token.cancel()
  }

  @Test func `an error is a value until an input changes`() throws {
    let pair = Pair()
    let log = Log<Int>()
    let memo = Memo("refusing") {
      log.append(pair.a)
      if pair.a < 3 { throw Refused(reason: pair.a / 2) }
      return pair.a
    }
    #expect(throws: Refused(reason: 0)) { try memo.value }
    #expect(throws: Refused(reason: 0)) { try memo.value }
    #expect(log.entries == [0])
    transaction { pair.a = 3 }
    #expect(try memo.value == 3)
  }

  @Test func `an error is told, an equal one is not, and a value after it is`() {
    let pair = Pair()
    let log = Log<String>()
    let memo = Memo("refusing") {
      if pair.a > 0 { throw Refused(reason: pair.a / 2) }
      return pair.a
    }
    let token = observe({ try memo.value }, onError: { log.append("\($0)") }) {
      log.append("\($1)")
    }
    for number in [2, 3, 4, 0] { transaction { pair.a = number } }
    #expect(log.entries == ["0", "Refused(reason: 1)", "Refused(reason: 2)", "0"])
    token.cancel()
  }

  @Test func `a cycle is the error of all its members until it is broken`() throws {
    let pair = Pair()
    let memos = Log<Memo<Int, any Error>>()
    defer { memos.removeAll() }
    memos.append(Memo("a") { pair.a == 0 ? try memos.entries[1].value : 7 })
    memos.append(Memo("b") { try memos.entries[2].value + 1 })
    memos.append(Memo("c") { (try? memos.entries[0].value) ?? 0 })
    let reader = Memo("reader") { try memos.entries[1].value }
    let cycle = ObservingError.cycle(["b", "c", "a", "b"])
    #expect(throws: cycle) { try reader.value }
    for memo in memos.entries { #expect(throws: cycle) { try memo.value } }
    transaction { pair.a = 1 }
    #expect(try reader.value == 8)
    #expect("\(cycle)" == "cycle: b -> c -> a -> b")
    transaction { pair.a = 0 }
    #expect(throws: ObservingError.self) { try reader.value }
    // Those in a cycle hold each other.
    transaction { pair.a = 1 }
    #expect(try reader.value == 8)
  }

  @Test func `a memo with a fallback has it in a cycle and never throws`() {
    let pair = Pair()
    var own: Memo<Int, Never>?
    defer { own = nil }
    let memo = Memo("own", fallback: -1) { pair.a > 0 ? pair.a : own?.value ?? 0 }
    own = memo
    #expect(memo.value == -1)
    transaction { pair.a = 5 }
    #expect(memo.value == 5)
  }

  @Test func `changing something observed while deriving is an error`() throws {
    let pair = Pair()
    let watched = observe({ pair.b }) { _, _ in }
    let memo = Memo("inner") {
      pair.b = 1
      return pair.a
    }
    let outer = Memo("outer") { try memo.value }
    #expect(throws: ObservingError.changeWhileDeriving(["outer", "inner"])) { try outer.value }
    watched.cancel()
  }

  @Test func `an untracked read is no dependency`() throws {
    let pair = Pair()
    let memo = Memo("sum") { pair.a + untracked { pair.b } }
    #expect(try memo.value == 0)
    pair.b = 5
    #expect(try memo.value == 0)
    pair.a = 1
    #expect(try memo.value == 6)
  }

  /// Memos of which each reads the one before it, and the first reads `pair.a`.
  private func chain(of length: Int, over pair: Pair) -> Memo<Int, any Error> {
    var last = Memo("0") { pair.a }
    for number in 1..<length {
      let former = last
      last = Memo("\(number)") { try former.value + 1 }
    }
    return last
  }

  @Test func `a long chain is evaluated, changed and freed`() throws {
    let pair = Pair()
    let last = chain(of: 10_000, over: pair)
    #expect(try last.value == 9_999)
    transaction { pair.a = 1 }
    #expect(try last.value == 10_000)
  }

  @Test func `a chain that nests too deep is an error`() throws {
    let last = chain(of: 100_500, over: Pair())
    #expect(throws: ObservingError.tooDeep(name: "499", limit: 100_000)) { try last.value }
  }
}
