import SettledObserving
import SettledSettings
import SettledValues
import SettledYAML

/// Prints what reading and loading settings cost, as multiples of libyaml's bare events.
///
/// All columns are measured in turn, round by round, in processor time; best and median of the
/// rounds. A reload reads one of 20 files: beside libyaml's bare events of that file, and beside our
/// load of nothing but that file.
func printYAMLTable(leaves sizes: [Int], rounds: Int = 9) async throws {
  print(
    """
    | leaves | MB | nodes, best / median | whole load | two layers | reload of one of 20 \
    | the same, x loading it alone |
    |---:|---:|---:|---:|---:|---:|---:|
    """)
  for leaves in sizes {
    let bench = try LoadBench(leaves: leaves)
    let rows = try await bench.measure(rounds: rounds)
    let cells = rows.map { "\(rounded($0.best)) / \(rounded($0.median))" }
    print("| \(leaves) | \(rounded(bench.megabytes)) | \(cells.joined(separator: " | ")) |")
  }
}

/// Prints the memory that one file of located nodes takes, beside its limit; once a process.
func printYAMLMemory(leaves: Int) throws {
  let file = GeneratedSettings.file(leaves: leaves)
  let document = try YAMLDocument.read(file, file: "in.yaml", limits: LoadBench.limits)
  let limit = Double(file.count + 60 * document.nodeCount) / 1e6 + 12
  print(
    "\(leaves) leaves, \(document.nodeCount) nodes, \(rounded(Double(file.count) / 1e6)) MB: "
      + "\(rounded(residentBytes() / 1e6)) MB resident, limit \(rounded(limit)) MB")
}

private struct LoadBench {
  static let limits = YAMLLimits(fileSize: 1 << 30)

  let file: [UInt8]
  private let small: [UInt8]
  private let repeats: Int
  private let layers: [Layer]

  struct Ratio {
    var best: Double
    var median: Double
  }

  var megabytes: Double { Double(file.count) / 1e6 }

  init(leaves: Int) throws {
    file = GeneratedSettings.file(leaves: leaves)
    small = GeneratedSettings.file(leaves: max(leaves / 20, 50))
    repeats = max(1, 200_000 / leaves)
    let base = Layer(try Self.read(file))
    let small = small
    layers = try [base] + (0..<20).map { Layer(try Self.read(small), at: ["drop_in_\($0)"]) }
  }

  func measure(rounds: Int) async throws -> [Ratio] {
    var times = [[Double]](repeating: [], count: 7)
    for _ in 0..<rounds {
      times[0].append(time { _ = BareEvents.count(in: file) })
      times[1].append(try time { _ = try Self.read(file) })
      times[2].append(try await load([file]))
      times[3].append(try await load([file, file]))
      times[4].append(time { _ = BareEvents.count(in: small) })
      times[5].append(try await reload())
      times[6].append(try await load([small]))
    }
    return [
      ratio(times[1], times[0]), ratio(times[2], times[0]),
      ratio(times[3], times[0].map { $0 * 2 }), ratio(times[5], times[4]),
      ratio(times[5], times[6]),
    ]
  }

  /// From bytes to the store.
  private func load(_ files: [[UInt8]]) async throws -> Double {
    try await ObservingActor.run {
      try time {
        let settings = try Settings(files.map { Layer(try Self.read($0)) })
        SettingsStore().replace(with: settings)
      }
    }
  }

  /// One of the layers anew, into a store in which someone reads a value of every layer.
  private func reload() async throws -> Double {
    try await ObservingActor.run {
      let store = SettingsStore(try Settings(layers))
      let path = ["region_0", "service_0", "http", "limits", "max_size_0"]
      let tokens = (0..<20).map { number in
        observe({ store.value(at: Path((["drop_in_\(number)"] + path).map { .key($0) })) }) {
          _, _ in
        }
      }
      defer { for token in tokens { token.cancel() } }
      return try time {
        var changed = layers
        changed[7] = Layer(try Self.read(small), at: ["drop_in_6"])
        store.replace(with: try Settings(changed))
      }
    }
  }

  private func time(_ body: () throws -> Void) rethrows -> Double {
    let start = processorNanoseconds()
    for _ in 0..<repeats { try body() }
    return processorNanoseconds() - start
  }

  private func ratio(_ times: [Double], _ limits: [Double]) -> Ratio {
    let middle = times.count / 2
    return Ratio(
      best: (times.min() ?? 0) / (limits.min() ?? 1),
      median: times.sorted()[middle] / limits.sorted()[middle])
  }

  private static func read(_ bytes: [UInt8]) throws(Refusal) -> YAMLDocument {
    try YAMLDocument.read(bytes, file: "in.yaml", limits: limits)
  }
}
