import Control
import Generations
import SettledInputs
import SettledSystemd
import SettledValues
import Targets

/// What the daemon writes to the journal.
struct DaemonLog {
  /// How many files of a pass are told one by one.
  private static let stepLimit = 20
  /// How many findings of a pass are told one by one.
  private static let findingLimit = 100

  private var journal: Journal
  /// What is known to be wrong: a pass that nobody asked for does not tell it again.
  private var told: Set<String> = []

  init(_ journal: Journal) {
    self.journal = journal
  }

  /// Changes what is logged.
  mutating func set(_ level: LogLevel) {
    journal.level = level.priority
  }

  /// Tells what a pass came to.
  mutating func passEnded(_ report: PassReport) {
    let known = report.cause.isAsked ? [] : told
    let fresh = report.diagnostics.filter { !known.contains($0.description) }
    let failed = report.actions.filter { $0.failed != nil }
    for diagnostic in fresh.prefix(Self.findingLimit) { log(diagnostic, report) }
    if fresh.count > Self.findingLimit {
      let rest = fresh.count - Self.findingLimit
      log(.error, "and \(rest) more: settlectl status --json", nil, report)
    }
    let news = failed.filter { !known.contains($0.message) }
    remember(report.diagnostics.map(\.description) + failed.map(\.message), after: report)
    tellOutcome(
      report, failed: news, repeated: report.diagnostics.count - fresh.count)
  }

  /// Tells the outcome of a pass in a line, after what was done; `failed` are the actions that failed
  /// and are to be told, `repeated` is the number of findings that were told before.
  private func tellOutcome(
    _ report: PassReport, failed: [PassReport.ActionOutcome], repeated: Int
  ) {
    let number = report.inForce?.number
    let again = repeated > 0 ? "; findings as before: \(repeated)" : ""
    switch report.outcome {
    case .applied:
      let done = report.actions.filter { $0.failed == nil }
      guard repeated == 0 || !(report.steps.isEmpty && done.isEmpty && failed.isEmpty) else {
        return log(.warning, "tried again; what failed still fails" + again, nil, report)
      }
      for step in report.steps.prefix(Self.stepLimit) { log(step, report) }
      for action in done + failed.prefix(Self.findingLimit) { log(action, report) }
      let changed = Self.changed(report.steps.map(\.target))
      let time = Self.text(report.duration)
      let text = "generation \(number ?? 0) is in force after \(time); \(changed)\(again)"
      log(.info, text, .applied, report)
    case .unchanged: log(.debug, "nothing changed", nil, report)
    case .refused: log(.error, "refused" + Self.kept(number) + again, .refused, report)
    case .rolledBack: log(.error, "rolled back" + Self.kept(number) + again, .rolledBack, report)
    }
  }

  private mutating func remember(_ findings: [String], after report: PassReport) {
    // A pass that reads no input finds nothing of what is wrong with them.
    let keeps = !report.readsInputs && told.count < Self.findingLimit
    told = keeps ? told.union(findings) : Set(findings)
  }

  /// Tells of files that settled wrote and that are not what it wrote any more.
  func drifted(_ drifts: [String: Drift], _ report: PassReport) {
    for (name, drift) in drifts.sorted(by: { $0.key < $1.key }).prefix(Self.stepLimit) {
      let how =
        report.repairs.waits[name] == nil
        ? "; 'settlectl apply \(name.printable)' puts it back"
        : " again, soon after it was put back; that is done ever later now, until the file stays"
      log(.warning, "the file of '\(name.printable)' was \(drift)" + how, nil, report, target: name)
    }
  }

  /// Tells of damage that is survived.
  func survived(_ message: String) {
    journal.log(JournalEntry(.warning, message))
  }

  /// Tells why changes of inputs are found by polling only; nil where the kernel tells them again.
  func watching(_ failure: String?) {
    let text = failure.map { "inputs are polled, not watched: \($0)" } ?? "inputs are watched again"
    journal.log(JournalEntry(failure == nil ? .info : .warning, text))
  }

  /// Tells of the signal that ends the daemon.
  func stopping(_ signal: ReceivedSignal) {
    journal.log(
      JournalEntry(.info, "stopping on signal \(signal.number) from process \(signal.sender)"))
  }

  /// Tells why the daemon cannot run.
  func failed(_ reason: String, hint: String?) {
    journal.log(JournalEntry(.error, reason + (hint.map { "\n  hint: \($0)" } ?? "")))
  }

  /// Tells what a crash left behind and what was made of it.
  func recovered(_ message: String) {
    journal.log(JournalEntry(.warning, message, id: .recovered))
  }

  private func log(_ action: PassReport.ActionOutcome, _ report: PassReport) {
    log(
      action.failed == nil ? .info : .error, action.message, nil, report,
      target: action.targets.count == 1 ? action.targets.first : nil)
  }

  private func log(_ step: PassReport.Step, _ report: PassReport) {
    log(
      .info, "\(step.change.participle) \(step.file) \(step.reason)".printable, nil, report,
      target: step.target)
  }

  private func log(_ diagnostic: Diagnostic, _ report: PassReport) {
    log(diagnostic.isError ? .error : .warning, diagnostic.description, nil, report)
  }

  private func log(
    _ priority: JournalEntry.Priority, _ message: String, _ id: MessageID?, _ report: PassReport,
    target: String? = nil
  ) {
    let number = report.inForce?.number ?? 0
    var fields = [JournalEntry.Field("SETTLED_GENERATION", String(number))]
    if let target { fields.append(JournalEntry.Field("SETTLED_TARGET", target)) }
    journal.log(JournalEntry(priority, message, id: id, fields: fields))
  }

  private static func changed(_ targets: [String]) -> String {
    if targets.isEmpty { return "no file changed" }
    // A file that moved is made and removed by one target.
    let targets = targets.reduce(into: [String]()) { known, name in
      if known.last != name { known.append(name) }
    }
    let names = targets.prefix(stepLimit).joined(separator: ", ")
    let rest = targets.count - stepLimit
    return "changed: " + names.printable + (rest > 0 ? " and \(rest) more" : "")
  }

  private static func kept(_ number: Int64?) -> String {
    number.map { ", keeping generation \($0)" } ?? "; no generation is in force"
  }

  private static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
  }
}

extension PassReport.ActionOutcome {
  /// What became of the action, for whom.
  fileprivate var message: String {
    "\(text) for \(targets.joined(separator: ", ")): \(end)".printable
  }
}

extension HistoryEntry.Cause {
  /// Whether somebody asked for the pass, and is to find in the log all that is wrong.
  fileprivate var isAsked: Bool {
    switch self {
    case .start, .reload, .signal, .apply: true
    case .edit, .drift, .retry: false
    }
  }
}

extension MessageID {
  /// A generation came into force.
  static let applied = MessageID(0x8a1d_6c5e_2f07_4b0b, 0x9d3e_71c4_50a8_e6f2)
  /// Inputs were refused.
  static let refused = MessageID(0x3c9f_02b7_d45a_4e61, 0xa8f0_1b6d_93c2_7745)
  /// An apply failed, and was put back.
  static let rolledBack = MessageID(0xe57b_94a0_1c38_4d2f, 0xb6c1_08d9_f47e_2a53)
  /// A crash was undone or completed.
  static let recovered = MessageID(0x5d20_ae83_6b9c_4f17, 0x8e44_c7f1_3a0d_b962)
}
