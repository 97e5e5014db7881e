import Generations
import SettledInputs
import SettledValues

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
  }

  /// How it ended.
  var outcome: Outcome
  /// Errors and warnings.
  var diagnostics: [Diagnostic]
  /// The inputs it read and looked for, to be watched.
  var inputs: InputSet
  /// The generation in force after it, nil where there is none yet.
  var inForce: Generation?
  /// The names of the targets whose files were put into place.
  var changedTargets: [String] = []
  /// What was done after that.
  var actions: [ActionOutcome] = []
  /// How long it took.
  var duration: Duration = .zero
  /// How often anything has been evaluated since the daemon started.
  var evaluations = 0

  /// The part that decides what comes next.
  var verdict: ReloadMachine.Verdict {
    switch outcome {
    case .applied, .unchanged: .accepted(isPending: actions.contains { $0.failed != nil })
    case .refused: .refused(inputs: inputs.digest, isKept: inForce != nil)
    case .rolledBack: .failed(isKept: inForce != nil)
    }
  }
}
