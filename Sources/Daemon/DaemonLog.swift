import Generations
import SettledInputs
import SettledSystemd
import SettledValues
import Targets

/// What the daemon writes to the journal.
struct DaemonLog {
  /// How many files of a pass are told one by one.
  private static let stepLimit = 20

  private var journal: Journal

  init(_ journal: Journal) {
    self.journal = journal
  }

  /// Changes what is logged.
  mutating func set(_ level: LogLevel) {
    journal.level = level.priority
  }

  /// Tells what a pass came to.
  func passEnded(_ report: PassReport) {
    for diagnostic in report.diagnostics { log(diagnostic, report) }
    let number = report.inForce?.number
    switch report.outcome {
    case .applied:
      for step in report.steps.prefix(Self.stepLimit) { log(step, report) }
      for action in report.actions { log(action, report) }
      let changed = Self.changed(report.steps.map(\.target))
      let duration = Self.text(report.duration)
      log(
        .info, "generation \(number ?? 0) is in force after \(duration); \(changed)", .applied,
        report)
    case .unchanged: log(.debug, "nothing changed", nil, report)
    case .refused: log(.error, "refused" + Self.kept(number), .refused, report)
    case .rolledBack: log(.error, "rolled back" + Self.kept(number), .rolledBack, report)
    }
  }

  /// Tells of files that settled wrote and that are not what it wrote any more.
  func drifted(_ drifts: [String: Drift], _ report: PassReport) {
    for (name, drift) in drifts.sorted(by: { $0.key < $1.key }).prefix(Self.stepLimit) {
      let how =
        report.repairs.waits[name] == nil
        ? "; 'settlectl apply \(name)' puts it back"
        : " again, soon after it was put back; that is done ever later now, until the file stays"
      log(.warning, "the file of '\(name)' was \(drift)" + how, nil, report, target: name)
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
    let names = action.targets.joined(separator: ", ")
    log(
      action.failed == nil ? .info : .error, "\(action.text) for \(names): \(action.end)", nil,
      report,
      target: action.targets.count == 1 ? action.targets.first : nil)
  }

  private func log(_ step: PassReport.Step, _ report: PassReport) {
    log(
      .info, "\(step.change.participle) \(step.file) \(step.reasons.text)", nil, report,
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
    let names = targets.prefix(stepLimit).joined(separator: ", ")
    let rest = targets.count - stepLimit
    return "changed: " + names + (rest > 0 ? " and \(rest) more" : "")
  }

  private static func kept(_ number: Int64?) -> String {
    number.map { ", keeping generation \($0)" } ?? "; no generation is in force"
  }

  private static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
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
