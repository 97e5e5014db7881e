import Control
import Dispatch
import Generations
import SettledInputs
import SettledObserving
import SettledValues
import Synchronization
import Targets

/// Runs passes from inputs to what follows from them, one after the other, on a thread of its own.
///
/// The loop stays free to answer and to feed the watchdog while a pass waits for the disk, for a
/// command or for a unit.
final class Worker: Sendable {
  /// How often a pass starts over because an input moved while it was read, at least.
  static let attempts = 5

  /// How long a pass waits for who writes an input, as a look at it does (``WatchSchedule``), and for
  /// how long it starts over: a save of many steps may be faster than a pass, and what is read in
  /// the midst of one is not whole.
  private static let writerLimit = Duration.seconds(1)

  /// How long a truncation may be seen before the kernel tells of it, on a busy machine.
  private static let truncationGrace = DispatchTimeInterval.milliseconds(100)

  private let thread: WorkThread
  let generator: Generator
  /// What is wrong with what was stored of the last apply.
  let damage: String?
  private let stateDirectory: String
  /// What tells of what is in force; only passes touch it, one after the other.
  private let records: Mutex<Records>
  private let isStrict: Bool
  private let isOnce: Bool
  /// Tells the loop; nil where there is none.
  private let loop: (@Sendable (WorkerMessage) -> Void)?
  /// What tells of the daemon's own settings.
  private let tokens: [ObservationToken]

  /// Creates the worker of one manifest.
  ///
  /// - Parameters:
  ///   - options: what is run.
  ///   - loop: tells the loop; nil where there is none.
  /// - Throws: why it cannot be read what was applied before.
  init(
    options: DaemonOptions, loop: (@Sendable (WorkerMessage) -> Void)? = nil
  ) throws(SystemError) {
    isStrict = options.isStrict
    isOnce = options.isOnce
    thread = try WorkThread()
    self.loop = loop
    stateDirectory = options.stateDirectory
    var records = Records(stateDirectory: options.stateDirectory)
    let found = try records.load()
    self.records = Mutex(records)
    damage = found.damaged.first.map { first in
      let more = found.damaged.count > 1 ? " and \(found.damaged.count - 1) more files" : ""
      return "what was applied cannot be read, as '\(first)'\(more) is damaged; it is applied again"
    }
    (generator, tokens) = ObservingActor.sync {
      let generator = Generator(
        manifest: options.manifest, root: options.root, stateDirectory: options.stateDirectory,
        lastGood: found.lastGood, applied: found.applied)
      let daemon = generator.daemon
      let tokens = [
        observe({ daemon.quiet }) { loop?(.quiet($1)) },
        observe({ daemon.poll }) { loop?(.poll($1)) },
        observe({ daemon.logLevel }) { loop?(.logLevel($1)) },
      ]
      return (generator, tokens)
    }
  }

  /// What is logged, as the manifest in force says it.
  var logLevel: LogLevel? { ObservingActor.sync { generator.daemon.logLevel } }

  /// Runs a pass, and hands its report to `completion` on the worker's thread.
  func start(
    _ request: ReloadMachine.Request, _ completion: @escaping @Sendable (PassReport) -> Void
  ) {
    perform { completion(self.run(request)) }
  }

  /// Does something after the passes that wait, on the worker's thread.
  func perform(_ body: @escaping @Sendable () -> Void) { thread.perform(body) }

  /// Waits for everything that was started.
  func drain() { thread.drain() }

  /// Finds out what a pass would do now, and drops it; on the worker's thread.
  func plan() -> PlanAnswer {
    let preparation = ObservingActor.sync {
      defer { generator.abandon() }
      return generator.prepare(tellsPrograms: true)
    }
    switch preparation {
    case .refused(let refusal, _):
      return PlanAnswer(diagnostics: refusal.diagnostics, isRefused: true)
    case .candidate(let candidate):
      return PlanAnswer(
        diagnostics: candidate.warnings, isRefused: false, hasChanges: !candidate.plan.isEmpty,
        text: candidate.plan.text, plan: candidate.plan.value)
    }
  }

  /// Runs a pass on the calling thread.
  func run(_ request: ReloadMachine.Request) -> PassReport {
    let clock = ContinuousClock()
    let start = clock.now
    var report = pass(request, since: start)
    report.duration = clock.now - start
    (report.evaluations, report.repairs) = ObservingActor.sync {
      (ObservingActor.evaluationCount, generator.repairs)
    }
    report.hasPending = ObservingActor.sync { generator.hasPending }
    report.cause = request.cause
    return report
  }

  /// Makes a pass, and starts over where an input moved meanwhile.
  private func pass(
    _ request: ReloadMachine.Request, since start: ContinuousClock.Instant
  ) -> PassReport {
    var patience = Self.writerLimit
    var number = 0
    while true {
      number += 1
      let mayStartOver = { [number] in
        number < Self.attempts || start.duration(to: .now) < Self.writerLimit
      }
      if let report = attempt(request, mayStartOver, patience: &patience) { return report }
    }
  }

  /// Makes one attempt at a pass.
  ///
  /// - Parameters:
  ///   - request: why the pass is made.
  ///   - mayStartOver: tells before the swap whether there may be another attempt.
  ///   - patience: how long it may wait for who writes an input.
  /// - Returns: what came of it; nil where an input moved.
  private func attempt(
    _ request: ReloadMachine.Request, _ mayStartOver: () -> Bool, patience: inout Duration
  ) -> PassReport? {
    let (preparation, readsInputs) = prepare(request)
    switch preparation {
    case .refused(let refusal, let inputs):
      var diagnostics = refusal.diagnostics
      let inForce = ObservingActor.sync { generator.inForce } ?? restored(&diagnostics)
      return PassReport(
        outcome: .refused, diagnostics: diagnostics, inputs: inputs, inForce: inForce,
        readsInputs: readsInputs)
    case .candidate(let candidate):
      let report = apply(candidate, mayStartOver) {
        guard readsInputs, mayStartOver() else { return true }
        // Until then nothing tells that who emptied a file is still at it.
        if candidate.inputs.haveJustEmptied {
          _ = DispatchSemaphore(value: 0).wait(timeout: .now() + Self.truncationGrace)
        }
        // Who has not ended by then is not waited for again; who has is another one the next time.
        if waitForWriters(atMost: patience) >= Self.writerLimit { patience = .zero }
        return !candidate.inputs.haveMoved()
      }
      guard var report else { return nil }
      report.readsInputs = readsInputs
      if !report.isAccepted, report.inForce == nil {
        report.inForce = restored(&report.diagnostics)
      }
      return report
    }
  }

  /// Waits for those who write inputs at this moment, but not longer than a look at them waits: what
  /// is half written must not be put into force because something else moved.
  ///
  /// - Returns: how long that was.
  private func waitForWriters(atMost limit: Duration) -> Duration {
    guard let loop else { return .zero }
    return ContinuousClock().measure {
      let answer = DispatchSemaphore(value: 0)
      loop(.swapIsNext(answer))
      _ = answer.wait(timeout: .now() + .milliseconds(Int(max(limit, .zero) / .milliseconds(1))))
    }
  }

  private func prepare(
    _ request: ReloadMachine.Request
  ) -> (preparation: Preparation, readsInputs: Bool) {
    ObservingActor.sync {
      if !request.readsInputs,
        let found = generator.prepareInForce(
          scope: request.scope, triesPending: request.isRestoration)
      {
        return (found, false)
      }
      return (generator.prepare(scope: request.scope, looksAtFiles: request.looksAtFiles), true)
    }
  }

  /// Brings the last good generation into force, where one is stored and the daemon may use it;
  /// else adds why not.
  private func restored(_ diagnostics: inout [Diagnostic]) -> Generation? {
    guard !isStrict, let preparation = ObservingActor.sync({ generator.prepareLastGood() }) else {
      return nil
    }
    var faults: [Diagnostic]
    switch preparation {
    case .candidate(let candidate):
      let report = apply(candidate) { true }
      if let inForce = report?.inForce { return inForce }
      faults = report?.diagnostics ?? []
      // What fails again is left for later, so that all else is in force.
      let rest = ObservingActor.sync { generator.prepareLastGood(triesPending: false) }
      if case .candidate(let rest)? = rest, !candidate.plan.actions.isEmpty,
        let inForce = apply(rest, where: { true })?.inForce
      {
        return inForce
      }
    case .refused(let refusal, _): faults = refusal.diagnostics
    }
    for index in faults.indices {
      faults[index].message = "the last good generation: " + faults[index].message
    }
    diagnostics += faults
    return nil
  }

  /// Applies a candidate, without the optional instances that fail; nil where it is out of date, which
  /// it also is where a destination changed since the plan, and a new plan may be made.
  private func apply(
    _ candidate: Candidate, _ mayStartOver: () -> Bool = { false }, where isCurrent: () -> Bool
  ) -> PassReport? {
    let applier = Applier(
      stateDirectory: stateDirectory, runner: SystemActions(needsNoBus: isOnce))
    var candidate = candidate
    while true {
      let update = update(for: candidate)
      do {
        let outcome = try applier.apply(
          candidate.plan, isCurrent: isCurrent, filesInPlace: { loop?(.filesInPlace) },
          stepBegins: { loop?(.stepBegins(limit: $0)) }, records: update.files,
          actionsBack: actionsBack, keepPending: keepPending)
        records.withLock { $0.take(update) }
        return accept(candidate, outcome)
      } catch {
        guard error != .outOfDate, !(error.isOfDestination && mayStartOver()) else {
          ObservingActor.sync { generator.abandon() }
          return nil
        }
        guard let omission = candidate.leaveOut(after: error) else {
          return abandon(candidate, error)
        }
        ObservingActor.sync { generator.leaveOut(omission.instance) }
      }
    }
  }

  /// What is to tell what is in force once the candidate is.
  private func update(for candidate: Candidate) -> Records.Update {
    let applied = ObservingActor.sync { generator.applied(pending: candidate.keptPending) }
    return records.withLock { $0.update(for: candidate, applied) }
  }

  private func accept(_ candidate: Candidate, _ outcome: Applier.Outcome) -> PassReport {
    let pending = candidate.keptPending.union(outcome.failed.keys.flatMap(\.targets))
    let (generation, applied) = ObservingActor.sync {
      (generator.accept(pending: pending), generator.applied)
    }
    // What is lost here is done once more after a restart.
    if !outcome.failed.isEmpty { records.withLock { try? $0.store(applied) } }
    var diagnostics = candidate.warnings
    diagnostics += outcome.failed.flatMap { step, reason in
      candidate.diagnostics(of: .action(step, reason: reason, output: ""))
    }
    let retries = (outcome.failed.keys.map(\.targets) + candidate.omissions.map { [$0.instance] })
      .map { candidate.retries(of: $0, isRequired: false) ?? .max }.max()
    let leftOut = ObservingActor.sync { generator.leftOut }
    return PassReport(
      outcome: candidate.isNew || !candidate.plan.isEmpty ? .applied : .unchanged,
      diagnostics: diagnostics, inputs: candidate.inputs, inForce: generation,
      changes: candidate.changes,
      steps: candidate.plan.files.map { PassReport.Step($0, kept: outcome.kept[$0.destination]) },
      drifts: candidate.drifts, pending: candidate.keptPending.union(leftOut),
      retries: retries ?? 0,
      actions: candidate.plan.actions.map { step in
        PassReport.ActionOutcome(
          text: step.action.text, skipped: outcome.skipped[step], failed: outcome.failed[step],
          targets: step.targets, reasons: step.reasons)
      } + candidate.omissions.map(PassReport.ActionOutcome.init))
  }

  /// What is to be done for what was put back, after these actions.
  private func actionsBack(after done: [ActionStep]) -> [ActionStep] {
    let (steps, pending) = ObservingActor.sync {
      (generator.actionsBack(after: done), generator.applied.pending)
    }
    // What waits for the last good generation is to outlive the journal.
    if steps.isEmpty, !pending.isEmpty { try? keepPending([]) }
    return steps
  }

  /// Takes in that the actions of these instances are still to be done, here and on the disk.
  private func keepPending(_ names: [String]) throws(SystemError) {
    let applied = ObservingActor.sync {
      generator.keepPending(names)
      return generator.applied
    }
    try records.withLock { records throws(SystemError) in try records.store(applied) }
  }

  private func abandon(_ candidate: Candidate, _ found: Applier.Failure) -> PassReport {
    let generation = ObservingActor.sync {
      generator.fail()
      return generator.inForce
    }
    let failure = generation == nil ? found.toldOnce : found
    if case .notPutBack = failure { records.withLock { $0.forget() } }
    let isTest = if case .test = failure { true } else { false }
    return PassReport(
      outcome: isTest ? .refused : .rolledBack,
      // The cause comes first: it is what a summary tells.
      diagnostics: candidate.diagnostics(of: failure) + candidate.warnings,
      inputs: candidate.inputs, inForce: generation, changes: candidate.changes,
      steps: candidate.plan.files.map { PassReport.Step($0) },
      retries: candidate.retries(after: failure))
  }
}

extension PassReport.ActionOutcome {
  /// What became of an instance that was left out.
  fileprivate init(_ omission: Omission) {
    self.init(
      text: omission.subject, failed: omission.reason, targets: [omission.instance], reasons: [])
  }
}

extension Applier.Failure {
  /// The failure of an action without that it failed for what was put back as well: where nothing is
  /// in force that says no more.
  fileprivate var toldOnce: Self {
    guard case .notActedBack(let steps, _, let first) = self, case .action(let step, _, _) = first,
      steps.allSatisfy({ $0.action == step.action })
    else { return self }
    return first
  }
}

extension PassReport.Step {
  fileprivate init(_ step: FileStep, kept: String? = nil) {
    self.init(
      target: step.desired.target, file: step.desired.path, change: step.change,
      reasons: step.reasons, kept: kept)
  }
}

extension Candidate {
  fileprivate func retries(after failure: Applier.Failure) -> Int {
    switch failure {
    case .notActedBack(_, _, let failure): retries(after: failure)
    case .action(let step, _, _): retries(of: step.targets, isRequired: true) ?? 0
    default: retries(of: [""], isRequired: true) ?? 0
    }
  }
}

extension ReloadMachine.Request {
  /// Why the pass is made, in a word.
  var cause: HistoryEntry.Cause {
    if isFirst { return .start }
    if !askers.isEmpty { return .reload }
    if isSignal { return .signal }
    if isWatched || isConfirmation { return .edit }
    if scope != nil { return .apply }
    return isRetry || isRestoration ? .retry : .drift
  }
}
