import Generations
import Glibc
import SettledInputs
import SettledObserving
import SettledValues
import Targets

/// A manifest of many targets over many settings in a directory on the disk, and what applies it as
/// the daemon does.
final class TargetPlace {
  /// What is edited before a pass.
  enum Edit {
    /// The entry that one target reads, told apart by a number.
    case one(Int)
    /// The setting that all targets read.
    case all
  }

  /// The most settings of one layer: about as many as the default limit of its size allows.
  private static let layerSize = 20_000

  private let path: String
  private let targets: Int
  private let entries: Int
  private let generator: Generator
  private var records: Records
  private var greeting = 0

  /// Writes the inputs; without `hasTargets` the same settings are loaded for nothing.
  init(targets: Int, hasTargets: Bool, settings: Int) throws {
    var template = Array("/var/tmp/settled-bench-XXXXXX".utf8CString)
    guard let name = mkdtemp(&template) else { throw SystemError("create", "/var/tmp") }
    path = String(cString: name)
    self.targets = targets
    entries = max(1, settings / 10)
    for name in ["state", "out", "in"] { mkdir(path + "/" + name, 0o755) }
    let (manifest, state) = (path + "/settled.yaml", path + "/state")
    generator = ObservingActor.sync { Generator(manifest: manifest, stateDirectory: state) }
    records = Records(stateDirectory: state)
    try write(
      """
      layers: [in/*.yaml]
      targets:
        \(hasTargets ? "t" : "none"):
          each: \(hasTargets ? "sites" : "'[]'")
          as: e
          file: out/{{ e.key }}
          content: "{{ greeting }} {{ e.value.port }} {{ e.value.name }}\\n"
          reload: shop.service
      """, to: "settled.yaml")
    for first in stride(from: 0, to: entries, by: Self.layerSize / 10) {
      try writeLayer(first, changed: nil, 0)
    }
    try write("greeting: hello\n", to: "in/greeting.yaml")
  }

  /// Removes all of it.
  func remove() {
    _ = system("rm -rf '\(path)'")
  }

  /// Edits, and makes a pass: reads, computes, plans, applies and keeps what was applied.
  @discardableResult
  func pass(changing edit: Edit?) throws -> TimedPass {
    switch edit {
    case nil: break
    case .all:
      greeting += 1
      try write("greeting: hello \(greeting)\n", to: "in/greeting.yaml")
    case .one(let number): try writeLayer(0, changed: 0, number + 1)
    }
    let generator = generator
    let before = ObservingActor.sync { ObservingActor.evaluationCount }
    let clock = ContinuousClock()
    let (start, processor) = (clock.now, processorNanoseconds())
    let candidate = try candidate()
    let applier = Applier(stateDirectory: path + "/state", runner: NoActions())
    let applied = ObservingActor.sync { generator.applied(pending: []) }
    let update = records.update(for: candidate, applied)
    _ = try applier.apply(
      candidate.plan, isCurrent: { !candidate.inputs.haveMoved() }, filesInPlace: {},
      records: update.files)
    records.take(update)
    let evaluations = ObservingActor.sync {
      _ = generator.accept()
      return ObservingActor.evaluationCount - before
    }
    return TimedPass(
      total: (clock.now - start) / .milliseconds(1),
      processor: (processorNanoseconds() - processor) / 1e6, evaluations: evaluations,
      steps: candidate.plan.files.count)
  }

  /// Replaces all files one after the other, each with an fsync(2) of its own; the answer is in
  /// milliseconds.
  func putOneByOne() throws -> Double {
    try ContinuousClock().measure {
      for number in 0..<targets {
        let bytes = Array("hello again \(number)\n".utf8)
        let staged = path + "/out/.new"
        let file = try Descriptor(staged, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
        try file.writeAll(bytes)
        try file.synchronize()
        guard rename(staged, path + "/out/e\(number)") == 0 else {
          throw SystemError("replace", staged)
        }
      }
    } / .milliseconds(1)
  }

  private func candidate() throws -> Candidate {
    let generator = generator
    switch ObservingActor.sync({ generator.prepare(looksAtFiles: false) }) {
    case .candidate(let candidate): return candidate
    case .refused(let refusal, _): throw refusal
    }
  }

  /// Writes the layer that begins with an entry; one of them gets another port.
  private func writeLayer(_ first: Int, changed: Int?, _ number: Int) throws {
    var text = ["sites": "", "rest": ""]
    for entry in first..<min(first + Self.layerSize / 10, entries) {
      var lines = "  e\(entry):\n    port: \(entry == changed ? 70_000 + number : entry)\n"
      lines += "    name: entry-\(entry)\n"
      for key in 0..<8 { lines += "    key_\(key): value \(key) of \(entry)\n" }
      text[entry < targets ? "sites" : "rest", default: ""] += lines
    }
    let parts = text.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty }
    try write(parts.map { "\($0.key):\n\($0.value)" }.joined(), to: "in/\(1_000_000 + first).yaml")
  }

  private func write(_ text: String, to name: String) throws {
    try AtomicFile.write(Array(text.utf8), to: path + "/" + name)
  }
}

/// Does no action: there are no such units.
private struct NoActions: ActionRunner {
  func run(_ step: ActionStep) -> ActionResult { .done }
  func confirm() -> (step: ActionStep, reason: String)? { nil }
}
