import Observation
import SettledObserving

/// A counter with the stock facilities, on the same actor.
@ObservingActor @Observable
final class StockModel {
  var number = 0
  var other = 0
}

/// The same as a model.
@Observable
final class CostModel: Model {
  @ObservationIgnored let _$observationRegistrar = Tracking()
  var number = 0
  var other = 0
}

/// What handlers add to.
@ObservingActor
final class Sum {
  var total = 0
}

/// Observes `stock` by stock means, which is to say once, again and again.
@ObservingActor
func rearm(_ stock: StockModel, _ sum: Sum) {
  withObservationTracking {
    sum.total &+= stock.number
  } onChange: {
    ObservingActor.sync { rearm(stock, sum) }
  }
}

/// A row: what it costs with the stock facilities, nil where they have none, and with ours.
struct Cost {
  var name: String
  var unit: String
  var stock: Double?
  var ours: Double
}

/// Prints what observation costs beside the stock facilities, measured in one run.
func printCostTable() async {
  // Memory first: afterwards new objects would take the place of freed ones.
  var costs = await memoryCosts()
  costs += await simpleCosts()
  costs += await derivedCosts()
  costs.append(await sequenceCost())
  print("| | unit | stock | ours | ours / stock |")
  print("|---|---|---:|---:|---:|")
  for cost in costs {
    let ratio = cost.stock.map { rounded(cost.ours / $0) } ?? "-"
    let stock = cost.stock.map(rounded) ?? "-"
    print("| \(cost.name) | \(cost.unit) | \(stock) | \(rounded(cost.ours)) | \(ratio) |")
  }
}

/// Reads, writes and handlers.
@ObservingActor
private func simpleCosts() -> [Cost] {
  let count = 100_000
  let stock = StockModel()
  let model = CostModel()
  let sum = Sum()
  var costs: [Cost] = []
  func add(_ name: String, _ stock: () -> Void, _ ours: () -> Void) {
    costs.append(
      Cost(
        name: name, unit: "ns", stock: nanoseconds(count: count, stock),
        ours: nanoseconds(count: count, ours)))
  }
  add("read, nobody observes") {
    for _ in 0..<count { sum.total &+= stock.number }
  } _: {
    for _ in 0..<count { sum.total &+= model.number }
  }
  add("read while observed, again") {
    withObservationTracking {
      for _ in 0..<count { sum.total &+= stock.number }
    } onChange: {
    }
  } _: {
    observe { for _ in 0..<count { sum.total &+= model.number } }.cancel()
  }
  stock.number = -1
  add("write, nobody observes") {
    for _ in 0..<count { stock.other &+= 1 }
  } _: {
    for _ in 0..<count { model.other &+= 1 }
  }
  rearm(stock, sum)
  let token = observe({ model.number }) { sum.total &+= $1 }
  add("write to handler") {
    for number in 0..<count { stock.number = number }
  } _: {
    for number in 0..<count { transaction { model.number = number } }
  }
  token.cancel()
  return costs
}
