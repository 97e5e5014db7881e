import Control
import Generations
import Glibc
import SettledValues

/// What the daemon says of itself, to whoever asks.
struct StatusBoard {
  private var last: PassReport?
  private var verdict: Verdict?
  private var since = Timestamp.now
  /// Whether a pass runs.
  var isSettling = false

  /// Takes in what a pass came to.
  mutating func take(_ report: PassReport) {
    let wasDegraded = last.map(Self.isDegraded) ?? true
    let formerGeneration = last?.inForce?.number
    last = report
    verdict = Verdict(
      generation: report.inForce?.number ?? 0, outcome: Self.outcome(report.outcome),
      at: Timestamp.now, diagnostics: report.diagnostics)
    if wasDegraded != Self.isDegraded(report) || formerGeneration != report.inForce?.number {
      since = Timestamp.now
    }
  }

  /// The generation in force, nil where there is none yet.
  var inForce: Generation? { last?.inForce }

  /// What became of the last pass.
  var lastVerdict: Verdict? { verdict }

  /// The whole status.
  var status: Status {
    Status(
      state: state, generation: last?.inForce?.number ?? 0, since: since, summary: summary,
      lastReload: verdict, targets: targets)
  }

  /// The state in one line that a person can act on: also systemd's `STATUS=`.
  var summary: String {
    guard let last else { return "starting" }
    guard let generation = last.inForce else {
      let fault = last.diagnostics.first(where: \.isError)?.summary
      return "no generation is in force" + (fault.map { ": \($0)" } ?? "")
    }
    let targets = "generation \(generation.number), \(Self.count(generation.targets.count))"
    guard Self.isDegraded(last), let fault = last.diagnostics.first(where: \.isError) else {
      return "settled: \(targets)"
    }
    let what =
      switch last.outcome {
      case .refused: "refused"
      case .rolledBack: "rolled back"
      case .applied, .unchanged: "degraded"
      }
    return "\(what): \(fault.summary); generation \(generation.number) kept"
  }

  private var state: Status.State {
    guard let last else { return .starting }
    if isSettling { return .settling }
    return Self.isDegraded(last) ? .degraded : .settled
  }

  /// Whether what is in force is not what the inputs say, or something of it does not hold.
  var isDegraded: Bool { last.map(Self.isDegraded) ?? false }

  private var targets: [Status.Target] {
    guard let last, let generation = last.inForce else { return [] }
    return generation.targets.map { target in
      let actions = last.actions.filter { $0.targets.contains(target.name) }
      if let failed = actions.first(where: { $0.failed != nil }) {
        return Status.Target(
          name: target.name, file: target.file, state: .failed,
          reason: "\(failed.text): \(failed.failed ?? "")")
      }
      let skipped = actions.first { $0.skipped != nil }
      return Status.Target(
        name: target.name, file: target.file, state: .settled,
        reason: skipped.map { "\($0.text): skipped (\($0.skipped ?? ""))" })
    }
  }

  private static func isDegraded(_ report: PassReport) -> Bool {
    switch report.outcome {
    case .refused, .rolledBack: true
    case .applied, .unchanged: report.actions.contains { $0.failed != nil }
    }
  }

  private static func outcome(_ outcome: PassReport.Outcome) -> Verdict.Outcome {
    switch outcome {
    case .applied: .applied
    case .unchanged: .unchanged
    case .refused: .refused
    case .rolledBack: .rolledBack
    }
  }

  private static func count(_ targets: Int) -> String {
    targets == 1 ? "1 target" : "\(targets) targets"
  }
}
