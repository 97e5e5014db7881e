import Glibc

/// A benchmark: its name on the command line, what it prints, and how.
struct Benchmark {
  var name: String
  var summary: String
  var run: ([String]) async throws -> Void
}

let benchmarks = [
  Benchmark(
    name: "observing-loss", summary: "final values lost by idioms of observation [ROUNDS [IDIOM]]",
    run: {
      await printLossTable(
        rounds: numbers($0).first ?? 1_000, of: $0.dropFirst().first ?? "")
    }),
  Benchmark(
    name: "observing-costs", summary: "costs of observation beside the stock facilities",
    run: { _ in await printCostTable() }),
  Benchmark(
    name: "varlink", summary: "calls a second of the control socket's server, and of PyPI's",
    run: { _ in try printCallRates() }),
  Benchmark(
    name: "watchers", summary: "what clients that watch cost a reload [CLIENTS [ROUNDS]]",
    run: { arguments in
      let sizes = numbers(arguments)
      try printWatcherCosts(
        watchers: sizes.first ?? 1_000, rounds: sizes.dropFirst().first ?? 10)
    }),
  Benchmark(
    name: "yaml", summary: "nodes, load and reload beside libyaml's bare events [LEAVES...]",
    run: { try await printYAMLTable(leaves: $0.isEmpty ? [1000, 10_000, 100_000] : numbers($0)) }),
  Benchmark(
    name: "yaml-file", summary: "the file that 'yaml' reads, for peers [LEAVES]",
    run: { arguments in
      let bytes = GeneratedSettings.file(leaves: numbers(arguments).first ?? 100_000)
      print(String(decoding: bytes, as: UTF8.self), terminator: "")
    }),
  Benchmark(
    name: "growth", summary: "each stage of a load for every leaf, as files grow [LEAVES...]",
    run: {
      try printGrowthTable(
        leaves: $0.isEmpty ? [1000, 10_000, 100_000, 1_000_000] : numbers($0))
    }),
  Benchmark(
    name: "yaml-memory", summary: "memory of one file's nodes beside its limit [LEAVES]",
    run: { try printYAMLMemory(leaves: numbers($0).first ?? 100_000) }),
  Benchmark(
    name: "models", summary: "a reload of a typed model, one property changed [PROPERTIES]",
    run: { arguments in
      try await printModelTable(properties: numbers(arguments).first ?? 1_000)
    }),
  Benchmark(
    name: "live", summary: "from a write of a file to a model's observer [ROUNDS [ENTRIES]]",
    run: { arguments in
      let sizes = numbers(arguments)
      try await printLiveLatency(
        rounds: sizes.first ?? 200, leaves: sizes.dropFirst().first ?? 50)
    }),
  Benchmark(
    name: "schema", summary: "validations a second, and of many leaves [FOLDER [LEAVES]]",
    run: {
      try printSchemaTable(
        folder: $0.first ?? "packaging/bench", leaves: numbers($0).first ?? 100_000)
    }),
  Benchmark(
    name: "expressions", summary: "evaluations a second of compiled expressions",
    run: { _ in
      try printEvaluationRates()
      try await printTrackingRates()
    }),
  Benchmark(
    name: "templates", summary: "rendered bytes a second",
    run: { _ in try printRenderingRates() }),
  Benchmark(
    name: "targets", summary: "one and all of many targets changed [SETTINGS [TARGETS...]]",
    run: { arguments in
      let sizes = numbers(arguments)
      try printTargetTable(
        targets: sizes.count > 1 ? Array(sizes.dropFirst()) : [10, 100, 1_000, 10_000],
        settings: sizes.first ?? 100_000)
    }),
  Benchmark(
    name: "counted", summary: "a fixed input, for packaging/bench/instructions [INPUT]",
    run: { try await runCountedInput($0.first) }),
  Benchmark(
    name: "bad-input", summary: "time until bad expressions and templates are refused",
    run: { _ in printRefusalTimes() }),
]

/// The numbers among arguments.
func numbers(_ arguments: [String]) -> [Int] { arguments.compactMap { Int($0) } }

let arguments = CommandLine.arguments.dropFirst()
guard let benchmark = benchmarks.first(where: { $0.name == arguments.first }) else {
  print("usage: settled-bench BENCHMARK [ARGUMENT...]")
  for benchmark in benchmarks { print("  \(benchmark.name): \(benchmark.summary)") }
  exit(2)
}
try await benchmark.run(Array(arguments.dropFirst()))
