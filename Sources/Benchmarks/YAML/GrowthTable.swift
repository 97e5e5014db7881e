import Glibc
import SettledObserving
import SettledSettings
import SettledValues
import SettledYAML

/// Prints what each stage of a load takes for every leaf, as files grow.
///
/// Processor time in nanoseconds, the median of the rounds. The last row is the slope: the exponent of
/// the growth of the whole stage, from the first size to the last. 1 is proportional to the leaves.
func printGrowthTable(leaves sizes: [Int], rounds: Int = 7) throws {
  let names = GrowthStage.allCases.map(\.rawValue).joined(separator: " | ")
  print("| leaves | \(names) |\n|---:|" + GrowthStage.allCases.map { _ in "---:|" }.joined())
  var table: [[Double]] = []
  for leaves in sizes {
    let load = try StagedLoad(leaves: leaves)
    let row = try GrowthStage.allCases.map { try load.nanoseconds(of: $0, rounds: rounds) }
    table.append(row)
    print("| \(leaves) | " + row.map(rounded).joined(separator: " | ") + " |")
  }
  guard let (first, last) = ends(table), let (least, most) = ends(sizes), least < most else {
    return
  }
  let slopes = zip(first, last).map { 1 + log($1 / $0) / log(Double(most) / Double(least)) }
  print("| slope | " + slopes.map(rounded).joined(separator: " | ") + " |")
}

private func ends<Element>(_ elements: [Element]) -> (Element, Element)? {
  guard let first = elements.first, let last = elements.last else { return nil }
  return (first, last)
}

/// A part of a load whose cost is told for every leaf.
private enum GrowthStage: String, CaseIterable {
  case events = "libyaml's events"
  case nodes = "nodes"
  case merge = "merge of 20 layers beside each other"
  case overlap = "merge of 2 layers of the same keys"
  case schema = "defaults and schema"
  case store = "store"
  case change = "store, 1 of 20 layers changed"
}

/// The same settings, taken to each stage.
private struct StagedLoad {
  private static let limits = YAMLLimits(fileSize: 1 << 30)

  private let leaves: Int
  private let file: [UInt8]
  private let settings: Settings
  private let schema: Schema
  /// The settings as 20 layers beside each other, and with one of them read from another file.
  private let layers: [Layer]
  private let merged: (Settings, Settings)
  /// A map of each layer, which is observed.
  private let observed: [Path]

  init(leaves: Int) throws {
    self.leaves = leaves
    file = GeneratedSettings.file(leaves: leaves)
    settings = try Settings([Layer(try Self.read(file))])
    schema = try GeneratedSettings.schema()
    let part = GeneratedSettings.file(leaves: leaves / 20)
    layers = try (0..<20).map { Layer(try Self.read(part), at: ["drop_in_\($0)"]) }
    // Another number in the first leaf that is one.
    let number = part.firstIndex { (UInt8(ascii: "1")...UInt8(ascii: "8")).contains($0) } ?? 0
    var changed = (part, layers)
    changed.0[number] += 1
    changed.1[7] = Layer(try Self.read(changed.0), at: ["drop_in_7"])
    merged = (try Settings(layers), try Settings(changed.1))
    observed = (0..<20).map { number in
      let keys = ["drop_in_\(number)", "region_0", "service_0", "http", "limits"]
      return Path(keys.map { .key($0) })
    }
  }

  /// The median of the rounds, for each leaf.
  func nanoseconds(of stage: GrowthStage, rounds: Int) throws -> Double {
    let repeats = max(1, 100_000 / leaves)
    let times = try (0..<rounds).map { _ in try time(stage, repeats: repeats) }
    return median(times) / Double(repeats * leaves)
  }

  private func time(_ stage: GrowthStage, repeats: Int) throws -> Double {
    try ObservingActor.sync {
      let store = SettingsStore()
      store.replace(with: merged.0)
      let tokens = observed.map { path in observe({ store.value(at: path) }) { _, _ in } }
      defer { for token in tokens { token.cancel() } }
      let start = processorNanoseconds()
      for turn in 0..<repeats {
        switch stage {
        case .events: _ = BareEvents.count(in: file)
        case .nodes: _ = try Self.read(file)
        case .merge: _ = try Settings(layers)
        case .overlap: _ = try Settings(settings.layers + settings.layers)
        case .schema: _ = try settings.conforming(to: schema)
        case .store: SettingsStore().replace(with: settings)
        case .change: store.replace(with: turn % 2 == 0 ? merged.1 : merged.0)
        }
      }
      return processorNanoseconds() - start
    }
  }

  private static func read(_ bytes: [UInt8]) throws(Refusal) -> YAMLDocument {
    try YAMLDocument.read(bytes, file: "in.yaml", limits: limits)
  }
}
