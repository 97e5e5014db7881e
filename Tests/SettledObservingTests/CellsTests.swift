import SettledObserving
import Testing

@ObservingActor
struct CellsTests {
  @Test func `a reader depends on its own key`() {
    let cells = Cells(["a": 1, "b": 2])
    let log = Log<Int?>()
    let token = observe({ cells["a"] }) { log.append($1) }
    transaction { cells["b"] = 3 }
    transaction { cells["a"] = 1 }
    transaction { cells["a"] = 5 }
    transaction { cells["a"] = nil }
    #expect(log.entries == [1, 5, nil])
    token.cancel()
  }

  @Test func `a reader of an absent key is told when it comes`() {
    let cells = Cells<String, Int>()
    let log = Log<Int?>()
    let token = observe({ cells["new"] }) { log.append($1) }
    transaction { cells["new"] = 1 }
    #expect(log.entries == [nil, 1])
    token.cancel()
  }

  @Test func `a reader of the keys is told of keys only`() {
    let cells = Cells(["a": 1])
    let log = Log<[String]>()
    let token = observe({ cells.keys.sorted() }) { log.append($1) }
    transaction { cells["a"] = 2 }
    transaction { cells["b"] = 1 }
    #expect(log.entries == [["a"], ["a", "b"]])
    #expect(cells.count == 2 && !cells.isEmpty)
    token.cancel()
  }

  @Test func `replacing all tells who reads what differs`() {
    let cells = Cells(["a": 1, "b": 2, "c": 3])
    let log = Log<String>()
    let tokens = ["a", "b", "c", "d"].map { key in
      observe({ cells[key] ?? 0 }, initial: false) { log.append("\(key): \($1)") }
    }
    let whole = observe({ cells.all }, initial: false) { log.append("\($1.count) entries") }
    transaction { cells.replaceAll(with: ["a": 1, "b": 20, "d": 4]) }
    #expect(log.entries == ["b: 20", "c: 0", "d: 4", "3 entries"])
    tokens.forEach { $0.cancel() }
    whole.cancel()
  }
}
