import Observation
import SettledObserving
import Testing

/// Stock consumers see the changes of models, memos and cells as well.
@ObservingActor
struct StockTests {
  /// How often a stock observer of `read`, which observes once, was told while `change` ran.
  private func told(_ read: () -> Void, _ change: () -> Void) -> Int {
    let log = Log<Int>()
    withObservationTracking(read) { ObservingActor.sync { log.append(1) } }
    change()
    return log.entries.count
  }

  @Test func `withObservationTracking sees a model's property`() {
    let pair = Pair()
    #expect(told({ _ = pair.a }, { pair.a = 1 }) == 1)
    #expect(told({ _ = pair.a }, { pair.a += 1 }) == 1)
    #expect(told({ _ = pair.a }, { pair.b = 1 }) == 0)
  }

  @Test func `withObservationTracking sees a memo, evaluated before or not`() {
    let app = App()
    #expect(told({ _ = app.perWorker }, { app.workers = 5 }) == 1)
    _ = app.perWorker
    #expect(told({ _ = app.perWorker }, { app.limits.maxOpen = 50 }) == 1)
    #expect(told({ _ = app.perWorker }, { app.title = "other" }) == 0)
  }

  @Test func `withObservationTracking sees cells and dependencies`() {
    let cells = Cells(["a": 1])
    let dependency = Dependency()
    #expect(told({ _ = cells["a"] }, { cells["a"] = 2 }) == 1)
    #expect(told({ _ = cells.count }, { cells["b"] = 2 }) == 1)
    #expect(told({ dependency.read() }, { dependency.changed() }) == 1)
  }

  @Test func `a stock observer inside a memo's reader does not see what the memo reads`() throws {
    let pair = Pair()
    let memo = Memo("tens") { pair.a / 10 }
    #expect(try memo.value == 0)
    #expect(told({ _ = try? memo.value }, { pair.b = 1 }) == 0)
  }

  @Test func `Observations gives the last value of a memo`() async {
    let app = App()
    // Not with an isolated closure in a task: that crashes the 6.3.1 compiler (swift #90370).
    let sequence = Observations { app.perWorker }
    let reader = Task { await Self.finds(100, in: sequence) }
    await Task.yield()
    for number in 1...20 { await ObservingActor.run { app.limits.maxOpen = number * 10 } }
    #expect(await reader.value)
  }

  private static func finds(_ number: Int, in sequence: Observations<Int, Never>) async -> Bool {
    for await value in sequence where value == number { return true }
    return false
  }
}
