import Glibc
public import SettledInputs

/// Applies a plan: all of it, or nothing.
public struct Applier {
  /// Why nothing was applied.
  public enum Failure: Error, Sendable, Hashable {
    /// The inputs moved while files were staged: the plan is out of date.
    case outOfDate
    /// A system call failed.
    case system(SystemError)
    /// A check of a staged file failed, or a verification after the swap.
    case test(Plan.Test, reason: String, output: String)
    /// A required action failed.
    case action(ActionStep, reason: String, output: String)
    /// Something failed, and something else while what stood there was put back.
    indirect case notPutBack(SystemError, after: Failure)
    /// Something failed, and of what was done for what was put back, these actions as well.
    indirect case notActedBack([ActionStep], reason: String, after: Failure)

    /// Whether a destination was not what was planned for, as somebody else changed it: another plan
    /// may do.
    public var isOfDestination: Bool {
      guard case .system(let error) = self else { return false }
      return error.code == ESTALE || error.code == EEXIST
    }
  }

  /// What was applied.
  public struct Outcome: Sendable, Hashable {
    /// Actions that were skipped, with the reason.
    public var skipped: [ActionStep: String] = [:]
    /// Actions that failed and were not required, with the reason.
    public var failed: [ActionStep: String] = [:]
    /// The copies of what others wrote and that was replaced, by destination.
    public var kept: [String: String] = [:]
  }

  private let stateDirectory: String
  private let runner: any ActionRunner

  /// Creates an applier that keeps its journal in the state directory.
  public init(stateDirectory: String, runner: any ActionRunner) {
    self.stateDirectory = stateDirectory
    self.runner = runner
  }

  /// Stages, checks, swaps, verifies and acts; on a failure everything is put back, and the actions
  /// that were done are done again for the old files.
  ///
  /// - Parameters:
  ///   - plan: what to do.
  ///   - isCurrent: asked before the first swap; false stops the apply.
  ///   - filesInPlace: called when all files are in place, before the first action.
  ///   - stepBegins: called before every command and action, with the longest time it may take.
  ///   - records: files that tell what is in force; they are swapped with the others, so that
  ///     after a crash they tell of the files that stand.
  ///   - actionsBack: what is to be done for what was put back, after these actions.
  ///   - keepPending: takes in, before the journal that tells of them is gone, which targets have
  ///     actions that are still to be done for what was put back.
  /// - Returns: the actions that were not done.
  /// - Throws: why everything was put back.
  public func apply(
    _ plan: Plan, isCurrent: () -> Bool, filesInPlace: () -> Void,
    stepBegins: (Duration) -> Void = { _ in }, records: [DesiredFile] = [],
    actionsBack: ([ActionStep]) -> [ActionStep] = { $0 },
    keepPending: ([String]) throws(SystemError) -> Void = { _ in }
  ) throws(Failure) -> Outcome {
    let transaction = try transaction(plan, records, keepPending)
    var done: [ActionStep] = []
    do throws(Failure) {
      try Self.system { () throws(SystemError) in try transaction.stage() }
      try check(plan, stepBegins)
      guard isCurrent() else { throw .outOfDate }
      try Self.system { () throws(SystemError) in try transaction.swap() }
      try test(plan.verifications, stepBegins)
      filesInPlace()
      var outcome = try act(plan.actions, stepBegins, done: &done)
      try Self.system { () throws(SystemError) in
        outcome.kept = try keepEdited(plan.files)
        try transaction.commit()
      }
      return outcome
    } catch {
      do throws(SystemError) {
        try transaction.putBack()
      } catch let fault {
        throw .notPutBack(fault, after: error)
      }
      let failure = done.isEmpty ? error : act(back: actionsBack(done), of: plan, after: error)
      if case .notActedBack(let failed, _, _) = failure {
        // Until then the journal tells of them, at the next apply or start.
        guard (try? keepPending(failed.flatMap(\.targets))) != nil else { throw failure }
      }
      do throws(SystemError) {
        try transaction.forget()
      } catch let fault {
        throw .notPutBack(fault, after: failure)
      }
      throw failure
    }
  }

  private func transaction(
    _ plan: Plan, _ records: [DesiredFile], _ keepPending: ([String]) throws(SystemError) -> Void
  ) throws(Failure) -> FileTransaction {
    let isEmpty = plan.files.isEmpty && records.isEmpty
    guard isEmpty || FileIdentity.following(stateDirectory) != nil else {
      throw .system(SystemError(SystemError.stateVerb, stateDirectory, code: ENOENT))
    }
    // What could not be put back is tried again first: its journal must not be lost to ours.
    let found = try Self.system { () throws(SystemError) in
      try Recovery.run(stateDirectory: stateDirectory, keepPending: keepPending)
    }
    if case .undone = found { throw .outOfDate }
    var steps = plan.files
    for record in records {
      let step = try Self.system { () throws(SystemError) in try FileStep(for: record) }
      if let step { steps.append(step) }
    }
    return FileTransaction(
      steps, stateDirectory: stateDirectory, acting: plan.actions.flatMap(\.targets))
  }

  /// Keeps copies of what others wrote, which stands where the new files were staged, or aside.
  private func keepEdited(_ files: [FileStep]) throws(SystemError) -> [String: String] {
    var kept: [String: String] = [:]
    let edited = EditedFiles(stateDirectory: stateDirectory)
    for step in files where step.keepsStanding {
      let isAside = FileIdentity.look(at: step.former) != nil
      let path = isAside ? step.former : step.staged
      kept[step.destination] = try edited.keep(path, of: step.destination)
    }
    return kept
  }

  private static func system<Answer>(
    _ body: () throws(SystemError) -> Answer
  ) throws(Failure) -> Answer {
    do { return try body() } catch { throw .system(error) }
  }

  /// Runs the checks, none of which may change the new file: what is put into place is what was
  /// planned, byte for byte.
  private func check(_ plan: Plan, _ stepBegins: (Duration) -> Void) throws(Failure) {
    guard !plan.checks.isEmpty else { return }
    let staged = Dictionary(plan.files.lazy.map { ($0.desired.target, $0.staged) }) { $1 }
    for check in plan.checks {
      let path = staged[check.target] ?? ""
      let before = FileIdentity.look(at: path)?.renamed
      try test([check], stepBegins)
      guard FileIdentity.look(at: path)?.renamed == before else {
        let reason = "it changed the new file, which it is only to look at"
        throw .test(check, reason: reason, output: "")
      }
    }
  }

  private func test(
    _ tests: [Plan.Test], _ stepBegins: (Duration) -> Void
  ) throws(Failure) {
    for test in tests {
      stepBegins(test.command.timeout)
      guard case .failed(let reason, let output) = test.command.run().actionResult else { continue }
      throw .test(test, reason: reason, output: output)
    }
  }

  private func act(
    _ steps: [ActionStep], _ stepBegins: (Duration) -> Void, done: inout [ActionStep]
  ) throws(Failure) -> Outcome {
    var outcome = Outcome()
    for step in steps {
      stepBegins(step.timeout)
      switch runner.run(step) {
      case .done: done.append(step)
      case .skipped(let reason): outcome.skipped[step] = reason
      case .stillDown(let reason): outcome.failed[step] = reason
      case .failed(let reason, let output):
        done.append(step)
        guard !step.isRequired else { throw .action(step, reason: reason, output: output) }
        outcome.failed[step] = reason
      }
    }
    if let (step, reason) = runner.confirm() {
      guard !step.isRequired else { throw .action(step, reason: reason, output: "") }
      outcome.failed[step] = reason
    }
    return outcome
  }

  /// Does what is to be done for what was put back; the answer is all that failed.
  private func act(
    back steps: [ActionStep], of plan: Plan, after failure: Failure
  ) -> Failure {
    var failed: [ActionStep] = []
    var reason = ""
    for step in steps {
      // What failed, and of which nothing was put back, would only fail again.
      if case .action(let first, let why, _) = failure, first.action == step.action,
        !plan.files.contains(where: { step.targets.contains($0.desired.target) })
      {
        (failed, reason) = (failed + [step], why)
      } else if let why = runner.run(step).failure {
        (failed, reason) = (failed + [step], why)
      }
    }
    return failed.isEmpty ? failure : .notActedBack(failed, reason: reason, after: failure)
  }
}
