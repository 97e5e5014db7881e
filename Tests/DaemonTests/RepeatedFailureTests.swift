import Control
import Generations
import SettledInputs
import SettledSystemd
import SettledValues
import Synchronization
import Testing

@testable import Daemon

/// The entries that were written.
private final class Written: Sendable {
  private let entries = Mutex<[JournalEntry]>([])
  var messages: [String] { entries.withLock { $0.map(\.message) } }
  var journal: Journal { Journal { entry in self.entries.withLock { $0.append(entry) } } }
}

/// What a failure that lasts writes to the journal, by a clock that is turned on by hand.
@Suite struct RepeatedFailureTests {
  private typealias Request = ReloadMachine.Request

  /// The targets that fail, each with a finding and an action.
  private static let count = 500
  private let written = Written()

  /// What a pass comes to in which the actions of all targets fail.
  private func report(_ cause: HistoryEntry.Cause, _ outcome: PassReport.Outcome) -> PassReport {
    var report = PassReport(
      outcome: outcome,
      diagnostics: (0..<Self.count).map { Diagnostic(.error, "site[\($0)]: exit status 1") },
      inputs: InputSet(base: "/", after: nil), retries: .max)
    report.cause = cause
    report.actions = (0..<Self.count).map {
      PassReport.ActionOutcome(
        text: "run false", failed: "exit status 1", targets: ["site[\($0)]"], reasons: [])
    }
    return report
  }

  /// The number of entries of the first pass, and of all new tries within an hour after it.
  private func anHour(of outcome: PassReport.Outcome) -> (first: Int, later: Int) {
    var log = DaemonLog(written.journal)
    var machine = ReloadMachine()
    _ = machine.request(Request(isFirst: true))
    var now = Moment(nanoseconds: 0)
    let end = now + .seconds(3600)
    var first: Int?
    while now <= end {
      let report = report(first == nil ? .start : .retry, outcome)
      let actions = machine.passEnded(report.verdict, now: now)
      if actions.contains(.publish) { log.passEnded(report) }
      if first == nil { first = written.messages.count }
      guard let due = machine.nextTry else { break }
      #expect(actions.contains(.wake(at: due)))
      now = due
      _ = machine.wakeDue(now: now)
    }
    return (first ?? 0, written.messages.count - (first ?? 0))
  }

  @Test func `a target that fails on each try for an hour is told in full once`() {
    let (first, later) = anHour(of: .applied)
    // A hundred findings and that there are more, a hundred actions, the generation.
    #expect(first == 202)
    // After 1, 2, 4, ... 256 s, and then every five minutes: a line each.
    #expect(later == 19)
    #expect(
      written.messages.last == "tried again; what failed still fails; findings as before: 500")
  }

  @Test func `what fails otherwise than before is told`() {
    var log = DaemonLog(written.journal)
    log.passEnded(report(.start, .refused))
    let told = written.messages.count
    var other = report(.edit, .refused)
    other.diagnostics[7] = Diagnostic(.error, "site[7]: exit status 2")
    log.passEnded(other)
    #expect(
      written.messages.dropFirst(told) == [
        "error: site[7]: exit status 2",
        "refused; no generation is in force; findings as before: 499",
      ])
  }

  @Test(arguments: [HistoryEntry.Cause.reload, .signal, .apply, .start])
  func `who asks is told all of it again`(cause: HistoryEntry.Cause) {
    var log = DaemonLog(written.journal)
    log.passEnded(report(.start, .refused))
    let once = written.messages.count
    log.passEnded(report(cause, .refused))
    #expect(written.messages.count == 2 * once)
  }
}
