import Dispatch
import Generations
import SettledObserving
import SettledValues
import Targets

/// Runs passes from inputs to files, one after the other, on a thread of its own.
///
/// The loop stays free to answer and to feed the watchdog while a pass waits for the disk.
final class Worker: Sendable {
  /// How often a pass starts over because an input moved while it was read.
  static let attempts = 5

  private let queue = DispatchQueue(label: "settled.worker")
  private let generator: Generator
  private let stateDirectory: String
  private let lastGood: LastGood
  private let isStrict: Bool

  /// Creates the worker of one manifest.
  init(options: DaemonOptions) {
    stateDirectory = options.stateDirectory
    isStrict = options.isStrict
    let lastGood = LastGood(stateDirectory: options.stateDirectory)
    self.lastGood = lastGood
    generator = ObservingActor.sync {
      Generator(manifest: options.manifest, root: options.root, lastGood: lastGood.load())
    }
  }

  /// Runs a pass, and hands its report to `completion` on the worker's thread.
  func start(_ completion: @escaping @Sendable (PassReport) -> Void) {
    queue.async { completion(self.run()) }
  }

  /// Runs a pass on the calling thread.
  func run() -> PassReport {
    let clock = ContinuousClock()
    let start = clock.now
    var report = attempt(1)
    report.duration = clock.now - start
    return report
  }

  private func attempt(_ number: Int) -> PassReport {
    switch ObservingActor.sync({ generator.prepare() }) {
    case .refused(let refusal, let inputs):
      let inForce = ObservingActor.sync { generator.inForce } ?? restored()
      return PassReport(
        outcome: .refused, diagnostics: refusal.diagnostics, inputs: inputs, inForce: inForce)
    case .candidate(let candidate): return apply(candidate, attempt: number)
    }
  }

  /// Brings the last good generation into force, where one is stored and the daemon may use it.
  private func restored() -> Generation? {
    guard !isStrict,
      case .candidate(let candidate)? = ObservingActor.sync({ generator.prepareLastGood() })
    else { return nil }
    return apply(candidate, attempt: Self.attempts).inForce
  }

  private func apply(_ candidate: Candidate, attempt number: Int) -> PassReport {
    let transaction = FileTransaction(candidate.steps, stateDirectory: stateDirectory)
    do {
      try transaction.stage()
      if number < Self.attempts, candidate.inputs.haveMoved() {
        try transaction.rollBack()
        ObservingActor.sync { generator.abandon() }
        return attempt(number + 1)
      }
      try transaction.swap()
      if candidate.isNew {
        try lastGood.store(StoredInputs(number: candidate.number, candidate.inputs))
      }
      try transaction.commit()
    } catch {
      return undo(transaction, candidate, error)
    }
    let isNew = candidate.isNew
    let generation = ObservingActor.sync { generator.accept() }
    return PassReport(
      outcome: isNew ? .applied : .unchanged, diagnostics: candidate.warnings,
      inputs: candidate.inputs, inForce: generation,
      changedTargets: candidate.steps.map(\.desired.target))
  }

  private func undo(
    _ transaction: FileTransaction, _ candidate: Candidate, _ error: SystemError
  ) -> PassReport {
    var diagnostics = [candidate.diagnostic(of: error)]
    do {
      try transaction.rollBack()
    } catch {
      diagnostics.append(
        Diagnostic(
          .error, "\(error), while putting back what stood there", hint: error.hint))
    }
    let generation = ObservingActor.sync {
      generator.abandon()
      return generator.inForce
    }
    return PassReport(
      outcome: .rolledBack, diagnostics: candidate.warnings + diagnostics,
      inputs: candidate.inputs, inForce: generation)
  }
}
