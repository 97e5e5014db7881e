import Control
import Generations
import SettledValues
import Targets

/// What the last passes did.
struct History: Sendable {
  /// The entries, the newest last.
  private(set) var entries: [HistoryEntry] = []

  /// Whether a pass makes an entry: it did something, was refused, or found a new drift.
  static func takes(_ report: PassReport, newDrifts: [String: Drift]) -> Bool {
    report.outcome != .unchanged || !newDrifts.isEmpty
  }

  /// Takes in what a pass did; the oldest entry goes where there are too many.
  mutating func add(_ entry: HistoryEntry) {
    entries.append(entry.bounded)
    if entries.count > HistoryEntry.limit {
      entries.removeFirst(entries.count - HistoryEntry.limit)
    }
  }

  /// The last entries, the newest last.
  func last(_ count: Int) -> [HistoryEntry] { entries.suffix(count) }
}

extension History {
  private static let version: Int64 = 1

  /// The history as JSON holds it.
  var value: Value {
    ["version": .int(Self.version), "entries": .list(entries.map { .map($0.wire) })]
  }

  /// Reads a history back.
  ///
  /// - Throws: what of it is not one.
  init(_ value: Value) throws(WireFault) {
    guard case .map(let map) = value, map["version"] == .int(Self.version),
      case .list(let list)? = map["entries"]
    else { return }
    for entry in list.suffix(HistoryEntry.limit) { entries.append(try HistoryEntry(wire: entry)) }
  }
}

extension HistoryEntry {
  /// Takes what is remembered of a pass.
  init(_ report: PassReport, at time: Timestamp, newDrifts: [String: Drift]) {
    self.init(
      generation: report.inForce?.number ?? 0, at: time, cause: report.cause,
      outcome: Verdict.Outcome(report.outcome), duration: report.duration)
    paths = report.changes.paths
    derived = report.changes.derived
    inputs = report.changes.inputs
    steps = report.steps.map {
      Step(
        target: $0.target, file: $0.file, change: $0.change.rawValue, reason: $0.reason)
    }
    let files = report.inForce?.targets ?? []
    steps += newDrifts.sorted { $0.key < $1.key }.prefix(Self.listLimit + 1).map { name, drift in
      let file = files.first { $0.name == name }?.file ?? ""
      return Step(target: name, file: file, change: "drift", reason: drift.description)
    }
    actions = report.actions.map { act in
      let outcome: Act.Outcome =
        act.failed != nil ? .failed : act.skipped != nil ? .skipped : .done
      let reason = act.failed ?? act.skipped ?? act.reasons.text
      return Act(action: act.text, targets: act.targets, outcome: outcome, reason: reason)
    }
    findings = (report.diagnostics.filter(\.isError) + report.diagnostics.filter { !$0.isError })
      .map(\.summary)
  }
}

extension Verdict.Outcome {
  init(_ outcome: PassReport.Outcome) {
    switch outcome {
    case .applied: self = .applied
    case .unchanged: self = .unchanged
    case .refused: self = .refused
    case .rolledBack: self = .rolledBack
    }
  }
}
