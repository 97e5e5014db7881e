import Observation
import SettledObserving
import SettledSettings
import SettledValues
import SettledYAML

/// Prints what a reload of a typed model costs when one of its properties changed.
///
/// Every property has an observer. Beside it stands what reading the file costs, and setting the one
/// property by hand.
@ObservingActor
func printModelTable(properties: Int, rounds: Int = 9) throws {
  let bench = try ModelBench(shards: properties / 2)
  var times = [[Double]](repeating: [], count: 4)
  for _ in 0..<rounds {
    times[0].append(nanoseconds(count: 1, repeats: 1) { bench.read() })
    times[1].append(nanoseconds(count: 1, repeats: 1) { bench.reload() })
    times[2].append(nanoseconds(count: 1, repeats: 1) { bench.reload(changing: false) })
    times[3].append(nanoseconds(count: 1, repeats: 1) { bench.setOne() })
  }
  let names = [
    "reading the file", "update, one changed", "update, none changed", "one property set by hand",
  ]
  print("\(bench.tokens.count) properties, each observed; \(rounds) rounds, median")
  for (name, times) in zip(names, times) {
    print("  \(name): \(rounded(times.sorted()[rounds / 2] / 1000)) us")
  }
  print("  observers told in \(rounds) updates with one change each: \(bench.told)")
}

@Observable
private final class Shard: SettingsModel {
  @ObservationIgnored let _$observationRegistrar = Tracking()
  var name = "shop"
  var pool = 4

  static let settings: [Setting<Shard>] = [
    Setting("name", \.name), Setting("pool", \.pool, in: 1...),
  ]
}

@Observable
private final class Shards: SettingsModel {
  @ObservationIgnored let _$observationRegistrar = Tracking()
  var shards: [String: Shard] = [:]

  static let settings: [Setting<Shards>] = [Setting("shards", \.shards)]
}

@ObservingActor
private final class ModelBench {
  private let model = Shards()
  private let texts: [[UInt8]]
  private let layers: [Settings]
  private var turn = 0
  private(set) var told = 0
  private(set) var tokens: [ObservationToken] = []

  init(shards: Int) throws {
    texts = (0..<2).map { turn in
      let lines = (0..<shards).map { number in
        "  s\(number): {name: n\(number), pool: \(number == shards / 2 ? turn + 5 : 2)}\n"
      }
      return Array(("shards:\n" + lines.joined()).utf8)
    }
    layers = try texts.map { try Settings([Layer(YAMLDocument.read($0, file: "in.yaml"))]) }
    try model.update(from: layers[0])
    for shard in model.shards.values {
      tokens.append(observe({ shard.name }, initial: false) { [unowned self] _, _ in told += 1 })
      tokens.append(observe({ shard.pool }, initial: false) { [unowned self] _, _ in told += 1 })
    }
  }

  func read() {
    _ = try? Settings([Layer(YAMLDocument.read(texts[0], file: "in.yaml"))])
  }

  func reload(changing: Bool = true) {
    if changing { turn = 1 - turn }
    _ = try? model.update(from: layers[turn])
  }

  func setOne() {
    transaction { model.shards["s1"]?.pool += 1 }
    told -= 1
    transaction { model.shards["s1"]?.pool = 2 }
    told -= 1
  }
}
