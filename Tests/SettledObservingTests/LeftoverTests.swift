import SettledObserving
import Synchronization
import Testing

/// Counts how many of it are alive.
final class Probe: Sendable {
  final class Counter: Sendable {
    private let living = Atomic(0)
    var count: Int { living.load(ordering: .relaxed) }
    func add(_ difference: Int) { living.add(difference, ordering: .relaxed) }
  }

  private let counter: Counter

  init(_ counter: Counter) {
    self.counter = counter
    counter.add(1)
  }

  deinit { counter.add(-1) }
}

/// After a cancellation nothing is left, on models that nobody writes to.
struct LeftoverTests {
  private let living = Probe.Counter()

  @Test func `20,000 cancelled observations leave nothing`() async {
    let pair = await Pair()
    for _ in 0..<20 {
      await ObservingActor.run {
        for _ in 0..<1_000 {
          let probe = Probe(living)
          observe({ pair.a }) { _, _ in _ = probe }.cancel()
        }
      }
    }
    await ObservingActor.run {}
    #expect(living.count == 0)
  }

  @Test func `sequences that were left, cancelled or never read leave nothing`() async {
    let pair = await Pair()
    for turn in 0..<3_000 {
      let probe = Probe(living)
      let sequence = values {
        _ = probe
        return pair.a
      }
      if turn % 3 == 0 { continue }
      if turn % 3 == 1 {
        for await _ in sequence { break }
        continue
      }
      let reader = Task { for await _ in sequence {} }
      await Task.yield()
      reader.cancel()
      await reader.value
    }
    await ObservingActor.run {}
    #expect(living.count == 0)
  }

  @Test func `a model that goes leaves its observers without sources`() async {
    await ObservingActor.run {
      let pair = Pair()
      let memo = Memo("memo") { [weak pair, probe = Probe(living)] in
        _ = probe
        return pair?.a
      }
      for _ in 0..<10_000 { _ = try? memo.value }
    }
    await ObservingActor.run {}
    #expect(living.count == 0)
  }

  @Test func `memos and models may be released on any thread`() async {
    await withTaskGroup { group in
      for _ in 0..<500 {
        group.addTask {
          let app = await App()
          let memo = await ObservingActor.run {
            Memo("memo") { [probe = Probe(living)] in
              _ = probe
              return app.perWorker
            }
          }
          _ = await ObservingActor.run { try? memo.value }
        }
      }
    }
    await ObservingActor.run {}
    await ObservingActor.run {}
    #expect(living.count == 0)
  }

  @Test func `cells that nobody reads any more are dropped`() async {
    let cells = await ObservingActor.run { Cells<Int, Int>() }
    await ObservingActor.run {
      for key in 0..<10_000 { observe({ cells[key] }) { _, _ in }.cancel() }
      let token = observe({ cells[1] }) { _, _ in }
      transaction { cells[1] = 5 }
      token.cancel()
      #expect(cells.all == [1: 5])
    }
  }
}
