import Observation
import SettledObserving

/// Memos, many observers, long chains, many dependencies; each in a section of its own.
func derivedCosts() async -> [Cost] {
  var costs = [await memoRead(), await manyObservers(), await manyDependencies()]
  costs += await chain(of: 10_000)
  costs.append(
    Cost(name: "chain of 1,000,000 memos, one change", unit: "ns each", ours: await longChain()))
  return costs
}

@ObservingActor
private func memoRead() -> Cost {
  let count = 100_000
  let model = CostModel()
  let memo = Memo("memo", fallback: 0) { model.number + model.other }
  var sum = memo.value
  return Cost(
    name: "memo read, nothing changed", unit: "ns",
    ours: nanoseconds(count: count) { for _ in 0..<count { sum &+= memo.value } })
}

/// Observers of a model each, all changed at once.
@ObservingActor
private func manyObservers() -> Cost {
  let count = 10_000
  let sum = Sum()
  let stocks = (0..<count).map { _ in StockModel() }
  for stock in stocks { rearm(stock, sum) }
  let models = (0..<count).map { _ in CostModel() }
  let tokens = models.map { model in observe({ model.number }) { sum.total &+= $1 } }
  defer { for token in tokens { token.cancel() } }
  return Cost(
    name: "10,000 observers in one transaction", unit: "ns each",
    stock: nanoseconds(count: count) { for stock in stocks { stock.number &+= 1 } },
    ours: nanoseconds(count: count) {
      transaction { for model in models { model.number &+= 1 } }
    })
}

/// A store of a million dependencies with 10,000 memos, one of which is downstream of a change.
@ObservingActor
private func manyDependencies() -> Cost {
  let count = 1_000_000
  let dependencies = (0..<count).map { _ in Dependency() }
  let sum = Sum()
  let tokens = (0..<10_000).map { index in
    let memo = Memo("memo", fallback: 0) {
      for place in 0..<100 { dependencies[index * 100 + place].read() }
      return index
    }
    return observe({ memo.value }) { sum.total &+= $1 }
  }
  defer { for token in tokens { token.cancel() } }
  let turns = 1_000
  let change = nanoseconds(count: turns) {
    for turn in 0..<turns { transaction { dependencies[turn * 777].changed() } }
  }
  return Cost(
    name: "one of 1M dependencies of 10,000 memos changed, to handler", unit: "ns", ours: change)
}

@ObservingActor
private func chain(of length: Int) -> [Cost] {
  let model = CostModel()
  var last = Memo("first", fallback: 0) { model.number }
  for _ in 1..<length {
    let former = last
    last = Memo("next", fallback: 0) { former.value &+ 1 }
  }
  let first = nanoseconds(count: length, repeats: 1) { _ = last.value }
  let again = nanoseconds(count: length) {
    transaction { model.number &+= 1 }
    _ = last.value
  }
  return [
    Cost(name: "chain of 10,000 memos, first evaluation", unit: "ns each", ours: first),
    Cost(name: "chain of 10,000 memos, one change", unit: "ns each", ours: again),
  ]
}

/// A chain that was evaluated while it was built, so that no evaluation nests deep.
@ObservingActor
private func longChain() -> Double {
  let length = 1_000_000
  let model = CostModel()
  var last = Memo("first", fallback: 0) { model.number }
  for number in 1..<length {
    let former = last
    last = Memo("next", fallback: 0) { former.value &+ 1 }
    if number % 1_000 == 0 { _ = last.value }
  }
  _ = last.value
  return nanoseconds(count: length, repeats: 1) {
    transaction { model.number &+= 1 }
    _ = last.value
  }
}
