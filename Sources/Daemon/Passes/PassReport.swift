import Control
import Generations
import SettledInputs
import SettledValues
import Targets

/// What a pass came to, for everyone who is told.
struct PassReport: Sendable {
  /// The ways a pass ends.
  enum Outcome: Sendable, Hashable {
    /// A new generation is in force.
    case applied
    /// The inputs are those of the generation in force.
    case unchanged
    /// The inputs were refused; nothing was touched.
    case refused
    /// Something failed while files were put into place, and all was put back.
    case rolledBack
  }

  /// What became of an action.
  struct ActionOutcome: Sendable, Hashable {
    /// The action in a few words.
    var text: String
    /// Why there was nothing to do, nil where it was done or failed.
    var skipped: String?
    /// Why it failed, nil where it did not.
    var failed: String?
    /// The targets that asked for it.
    var targets: [String]
    /// Why it was done.
    var reasons: [Reason]

    /// How it ended, in a few words.
    var end: String {
      failed.map { "failed: \($0)" } ?? skipped.map { "skipped (\($0))" } ?? "done"
    }
  }

  /// A file that was put into place.
  struct Step: Sendable, Hashable {
    /// The target.
    var target: String
    /// Its file.
    var file: String
    /// What was done to it.
    var change: FileStep.Change
    /// Why.
    var reasons: [Reason]
    /// The copy of what others had written there; nil where that was what settled wrote.
    var kept: String?

    /// Why, and where that copy is.
    var reason: String {
      reasons.text + (kept.map { "; what stood there is '\($0)'" } ?? "")
    }
  }

  /// How it ended.
  var outcome: Outcome
  /// Errors and warnings.
  var diagnostics: [Diagnostic]
  /// The inputs it read and looked for, to be watched.
  var inputs: InputSet
  /// The generation in force after it, nil where there is none yet.
  var inForce: Generation?
  /// Why the pass was made.
  var cause = HistoryEntry.Cause.start
  /// Whether inputs were read; else only the files of the generation in force were looked at.
  var readsInputs = true
  /// What the inputs say otherwise than before.
  var changes = Changes()
  /// The files that were put into place, or put back again.
  var steps: [Step] = []
  /// What became of files that settled wrote, where that is only told; by instance.
  var drifts: [String: Drift] = [:]
  /// When files that keep drifting are put back.
  var repairs = Repairs()
  /// The instances whose actions failed before, and were not tried again.
  var pending: Set<String> = []
  /// Whether actions of the generation in force are still to be done.
  var hasPending = false
  /// How often what failed is tried again.
  var retries = 0
  /// What was done after that.
  var actions: [ActionOutcome] = []
  /// How long it took.
  var duration: Duration = .zero
  /// How often anything has been evaluated since the daemon started.
  var evaluations = 0

  /// Whether what it found is in force.
  var isAccepted: Bool { outcome == .applied || outcome == .unchanged }

  /// The part that decides what comes next.
  var verdict: ReloadMachine.Verdict {
    switch outcome {
    case .applied, .unchanged: .accepted(retries: retries)
    case .refused: .refused(inputs: inputs.digest, isKept: inForce != nil)
    case .rolledBack: .failed(isKept: inForce != nil, retries: retries)
    }
  }
}
