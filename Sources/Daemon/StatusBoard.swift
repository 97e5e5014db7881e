import Control
import Generations
import Glibc
import SettledValues
import Targets

/// What the daemon says of itself, to whoever asks.
struct StatusBoard {
  /// The generation in force, nil where there is none yet.
  private(set) var inForce: Generation?
  /// What became of the last pass.
  private(set) var lastVerdict: Verdict?
  /// What became of the last pass that read inputs.
  private var lastReload: Verdict?
  /// The pass that was refused or rolled back, and that nothing made good since.
  private var failure: PassReport?
  /// What became of the actions of the last pass that was accepted.
  private var actions: [PassReport.ActionOutcome] = []
  /// What became of files that settled wrote, by instance.
  private var drifts: [String: Drift] = [:]
  /// How long each file that keeps drifting waits for its repair, by instance.
  private var waits: [String: Duration] = [:]
  /// When values last changed, and what was last done for targets.
  private(set) var changes: ChangeLog
  private var hasReport = false
  private var since = Timestamp.now
  /// Whether a pass runs.
  var isSettling = false
  /// Why changes of inputs are found by polling only, nil where the kernel tells them.
  var unwatched: String? {
    didSet { if (unwatched == nil) != (oldValue == nil) { since = Timestamp.now } }
  }

  /// Creates a board on which nothing is in force; what was done before is known from the history.
  init(_ history: [HistoryEntry] = []) {
    changes = ChangeLog(history)
  }

  /// Takes in what a pass is remembered for.
  mutating func take(_ entry: HistoryEntry) { changes.take(entry) }

  /// Takes in what a pass came to.
  mutating func take(_ report: PassReport) {
    let (wasDegraded, formerGeneration) = (isDegraded || !hasReport, inForce?.number)
    hasReport = true
    inForce = report.inForce
    let verdict = Verdict(
      generation: report.inForce?.number ?? 0, outcome: Verdict.Outcome(report.outcome),
      at: Timestamp.now, diagnostics: report.diagnostics)
    lastVerdict = verdict
    if report.readsInputs { lastReload = verdict }
    if report.isAccepted { takeAccepted(report) } else { takeFailed(report) }
    if wasDegraded != isDegraded || formerGeneration != report.inForce?.number {
      since = Timestamp.now
    }
  }

  private mutating func takeAccepted(_ report: PassReport) {
    // What stands in the place of refused inputs is no better for being looked at.
    if report.readsInputs || failure?.readsInputs == false { failure = nil }
    let kept = actions.filter { $0.failed != nil && !report.pending.isDisjoint(with: $0.targets) }
    actions = report.actions + kept
    drifts = report.drifts
    waits = report.repairs.waits
  }

  private mutating func takeFailed(_ report: PassReport) {
    // Who asks for a target that is not there did no harm.
    let isHarmless = !report.readsInputs && report.outcome == .refused && report.steps.isEmpty
    if report.readsInputs || (failure == nil && !isHarmless) { failure = report }
  }

  /// Whether a pass found files to be drifted, or not to be drifted, that it did not before.
  func isNews(_ report: PassReport) -> Bool {
    report.readsInputs || report.outcome != .unchanged || report.drifts != drifts
      || report.cause == .apply
  }

  /// The files that a pass found to be drifted and that were not before; one that keeps drifting is
  /// told once.
  func newDrifts(_ report: PassReport) -> [String: Drift] {
    report.drifts.filter { name, drift in
      let isContested = waits[name] != nil && report.repairs.waits[name] != nil
      return !isContested && drifts[name] != drift
    }
  }

  /// The whole status.
  var status: Status {
    Status(
      state: state, generation: inForce?.number ?? 0, since: since, summary: summary,
      lastReload: lastReload, targets: targets)
  }

  /// The state in one line that a person can act on: also systemd's `STATUS=`.
  var summary: String {
    guard hasReport else { return "starting" }
    guard let generation = inForce else {
      let fault = failure?.diagnostics.first(where: \.isError)?.summary
      return "no generation is in force" + (fault.map { ": \($0)" } ?? "")
    }
    if let failure, let fault = failure.diagnostics.first(where: \.isError) {
      let what = failure.outcome == .refused ? "refused" : "rolled back"
      return "\(what): \(fault.summary); generation \(generation.number) kept"
    }
    let targets = "generation \(generation.number), \(Self.count(generation.targets.count))"
    if let failed = actions.first(where: { $0.failed != nil }) {
      return "degraded: \(failed.text) failed: \(failed.failed ?? ""); \(targets)"
    }
    if let (name, drift) = drifts.min(by: { $0.key < $1.key }) {
      let more = drifts.count > 1 ? " and \(drifts.count - 1) more" : ""
      return "degraded: the file of '\(name)' was \(drift)\(more); \(targets)"
    }
    if let unwatched { return "degraded: inputs are polled, not watched: \(unwatched); \(targets)" }
    return "settled: \(targets)"
  }

  /// The state in a word.
  var state: Status.State {
    guard hasReport else { return .starting }
    if isSettling { return .settling }
    return isDegraded ? .degraded : .settled
  }

  /// Whether what is in force is not what the inputs say, or something of it does not hold.
  var isDegraded: Bool {
    failure != nil || unwatched != nil || !drifts.isEmpty || actions.contains { $0.failed != nil }
  }

  private var targets: [Status.Target] {
    var acts: [String: [PassReport.ActionOutcome]] = [:]
    for action in actions { for name in action.targets { acts[name, default: []].append(action) } }
    return inForce?.targets.map { target($0, acts[$0.name] ?? []) } ?? []
  }

  private func target(
    _ target: Generation.Target, _ acts: [PassReport.ActionOutcome]
  ) -> Status.Target {
    var status = Status.Target(name: target.name, file: target.file, state: .settled)
    if let failed = acts.first(where: { $0.failed != nil }) {
      status.state = .failed
      status.reason = "\(failed.text): \(failed.failed ?? "")"
    } else if let drift = drifts[target.name] {
      status.state = .drifted
      let wait = waits[target.name]?.components.seconds
      status.reason =
        drift.description + (wait.map { " again and again; put back after \($0) s" } ?? "")
    } else if let skipped = acts.first(where: { $0.skipped != nil }) {
      status.reason = "\(skipped.text): \(skipped.end)"
    } else {
      status.reason = changes.run(of: target.name)?.note
    }
    return status
  }

  private static func count(_ targets: Int) -> String {
    targets == 1 ? "1 target" : "\(targets) targets"
  }
}
