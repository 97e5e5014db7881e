import Observation
import SettledObserving

/// From a write to the element that a reader in another task gets, one at a time.
func sequenceCost() async -> Cost {
  let turns = 2_000
  let stock = StockCounter()
  var stockElements = Observations { stock.number }.makeAsyncIterator()
  _ = await stockElements.next()
  let stockStart = ContinuousClock.now
  for number in 1...turns {
    stock.number = number
    _ = await stockElements.next()
  }
  let stockTime = ContinuousClock.now - stockStart
  let model = await CostModel()
  var elements = values { model.number }.makeAsyncIterator()
  _ = await elements.next()
  let start = ContinuousClock.now
  for number in 1...turns {
    await ObservingActor.run { model.number = number }
    _ = await elements.next()
  }
  let time = ContinuousClock.now - start
  return Cost(
    name: "write to element of a sequence", unit: "us", stock: stockTime / .microseconds(turns),
    ours: time / .microseconds(turns))
}

/// Resident memory.
func memoryCosts() async -> [Cost] {
  await objectMemory() + [await churn()]
}

@ObservingActor
private func objectMemory() -> [Cost] {
  [modelMemory(), observerMemory(), memoMemory(), dependencyMemory()]
}

/// How many of each are made.
private let count = 100_000
/// What was measured, so that nothing that is made later takes its place.
@ObservingActor private var kept: [Any] = []

@ObservingActor
private func modelMemory() -> Cost {
  Cost(
    name: "object of two numbers", unit: "bytes",
    stock: bytes { StockModel() }, ours: bytes { CostModel() })
}

@ObservingActor
private func observerMemory() -> Cost {
  let sum = Sum()
  let stock = StockModel()
  let model = CostModel()
  return Cost(
    name: "observer of a property", unit: "bytes",
    stock: bytes { rearm(stock, sum) }, ours: bytes { observe({ model.number }) { _, _ in } })
}

@ObservingActor
private func memoMemory() -> Cost {
  let model = CostModel()
  return Cost(
    name: "memo of two properties, evaluated", unit: "bytes",
    ours: bytes {
      let memo = Memo("memo", fallback: 0) { model.number + model.other }
      _ = memo.value
      return memo
    })
}

@ObservingActor
private func dependencyMemory() -> Cost {
  Cost(name: "dependency, unread", unit: "bytes", ours: bytes { Dependency() })
}

/// What memory grows by for each thing that `make` makes.
@ObservingActor
private func bytes<Thing>(_ make: () -> Thing) -> Double {
  var things: [Thing] = []
  things.reserveCapacity(count)
  let before = residentBytes()
  for _ in 0..<count { things.append(make()) }
  let after = residentBytes()
  kept.append(things)
  return (after - before) / Double(count)
}

/// What 20,000 subscriptions that were cancelled leave behind on an idle model.
private func churn() async -> Cost {
  let turns = 20_000
  let stock = StockCounter()
  let model = await CostModel()
  func grown(_ subscribe: () async -> Void) async -> Double {
    for _ in 0..<1_000 { await subscribe() }
    let before = residentBytes()
    for _ in 0..<turns { await subscribe() }
    return (residentBytes() - before) / Double(turns)
  }
  let stockGrowth = await grown {
    var elements = Observations { stock.number }.makeAsyncIterator()
    _ = await elements.next()
    let waiting = Task { [elements] in
      var elements = elements
      _ = await elements.next()
    }
    await Task.yield()
    waiting.cancel()
    await waiting.value
  }
  let growth = await grown {
    var elements = values { model.number }.makeAsyncIterator()
    _ = await elements.next()
  }
  return Cost(
    name: "left by each of 20,000 cancelled subscriptions", unit: "bytes of RSS",
    stock: stockGrowth, ours: growth)
}
