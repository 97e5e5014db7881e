import Control
import Generations
import Glibc
import SettledInputs
import SettledSystemd
import SettledValues
import Targets

/// The daemon's way in.
public enum DaemonProgram {
  /// The daemon's version.
  public static let version = Release.version
  /// The day of that version.
  public static let date = Release.date

  /// Runs the daemon, or one generation with ``DaemonOptions/isOnce``; the answer is the exit
  /// status: 0, 1 where it could not run or apply, 78 where the inputs were refused.
  ///
  /// `blockSignals()` must have been called before any thread was made.
  public static func run(_ options: DaemonOptions) -> Int32 {
    let environment = ServiceEnvironment()
    for name in ServiceEnvironment.privateNames { unsetenv(name) }
    let level = (options.logLevel ?? .info).priority
    let log = DaemonLog(
      Journal(identifier: "settled", level: level, environment: environment))
    do {
      try StateDirectory.make(options.stateDirectory)
      let lock = try StateLock(directory: options.stateDirectory)
      let status = try run(options, log, environment)
      lock.release()
      return status
    } catch let error as StateLock.Held {
      let holder = error.process.map { " by process \($0)" } ?? ""
      log.failed(
        "the state directory '\(options.stateDirectory)' is held\(holder)",
        hint: "one daemon runs for a state directory; name another with --state-directory")
    } catch let error as StateDirectory.Exposed {
      log.failed(error.description, hint: error.hint)
    } catch let error as SystemError {
      log.failed(error.description, hint: error.hint)
    } catch {
      log.failed("\(error)", hint: nil)
    }
    return 1
  }

  private static func run(
    _ options: DaemonOptions, _ log: DaemonLog, _ environment: ServiceEnvironment
  ) throws -> Int32 {
    try recover(options, log)
    if options.isOnce { return try once(options, log) }
    return try Daemon(options: options, log: log, environment: environment).run()
  }

  private static func recover(_ options: DaemonOptions, _ log: DaemonLog) throws {
    let store = AppliedFiles(stateDirectory: options.stateDirectory)
    let found = try Recovery.run(stateDirectory: options.stateDirectory) {
      (names) throws(SystemError) in
      var (applied, stored, _) = try store.load()
      applied.keepPending(names)
      try store.store(applied, after: stored)
    }
    switch found {
    case .nothing: break
    case .undone(let files):
      log.recovered("the last apply was cut short; \(files) files are as they were before it")
    case .completed: log.recovered("the last apply was cut short after it had succeeded")
    }
  }

  private static func once(_ options: DaemonOptions, _ log: DaemonLog) throws -> Int32 {
    let state = StateFiles(directory: options.stateDirectory)
    let worker = try Worker(options: options)
    let report = worker.run(ReloadMachine.Request(isFirst: true))
    var log = log
    log.set(options.logLevel ?? worker.logLevel ?? .info)
    if let damage = worker.damage { log.survived(damage) }
    log.passEnded(report)
    log.drifted(report.drifts, report)
    if History.takes(report, newDrifts: report.drifts) {
      var (history, damage) = state.loadHistory()
      if let damage { log.survived(damage) }
      history.add(HistoryEntry(report, at: .now, newDrifts: report.drifts))
      state.store(history)
    }
    switch report.outcome {
    case .applied, .unchanged: return 0
    case .refused, .rolledBack: return 1
    }
  }
}
