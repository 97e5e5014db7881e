public import SettledValues

/// How the daemon and its targets are.
public struct Status: Sendable, Hashable {
  /// How the daemon is.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// The first generation is being made.
    case starting
    /// Everything is recomputed and applied.
    case settled
    /// A generation is being made or applied.
    case settling
    /// On the last good generation, or with something that does not hold.
    case degraded
  }

  /// How a target is.
  public struct Target: Sendable, Hashable {
    /// How far a target is what it should be.
    public enum State: String, Sendable, Hashable, CaseIterable {
      /// It is what the generation in force wants.
      case settled
      /// It is still to be applied.
      case pending
      /// Applying it failed.
      case failed
      /// Something else changed it since.
      case drifted
      /// It is not to be applied, as with a unit that is not active.
      case skipped
    }

    /// Its name.
    public var name: String
    /// The file it writes, or nil for one that only follows a value.
    public var file: String?
    /// How it is.
    public var state: State
    /// Why it is so, where that is not plain.
    public var reason: String?

    /// Creates the state of a target.
    public init(name: String, file: String? = nil, state: State, reason: String? = nil) {
      self.name = name
      self.file = file
      self.state = state
      self.reason = reason
    }
  }

  /// The form of the reply; fields are only added within a version.
  public static let version: Int64 = 1

  /// How the daemon is.
  public var state: State
  /// The number of the generation in force; 0 before the first.
  public var generation: Int64
  /// When the state was entered.
  public var since: Timestamp
  /// One line that a person can act on, as in systemd's STATUS.
  public var summary: String
  /// What became of the last reload, or nil before the first.
  public var lastReload: Verdict?
  /// The targets, in the manifest's order.
  public var targets: [Target]
  /// How many inputs are watched, with those that are looked for.
  public var inputs: Int64
  /// What an administrator should look at, a sentence each.
  public var warnings: [String]
  /// When what failed, or a file that keeps drifting, is tried again by itself; nil where nothing is.
  public var nextTry: Timestamp?

  /// Creates a status.
  public init(
    state: State, generation: Int64, since: Timestamp, summary: String = "",
    lastReload: Verdict? = nil, targets: [Target] = [], inputs: Int64 = 0, warnings: [String] = [],
    nextTry: Timestamp? = nil
  ) {
    self.inputs = inputs
    self.warnings = warnings
    self.nextTry = nextTry
    self.state = state
    self.generation = generation
    self.since = since
    self.summary = summary
    self.lastReload = lastReload
    self.targets = targets
  }

  /// What anyone may know: not what findings and reasons quote, which may hold settings.
  public var publicPart: Status {
    var status = self
    let findings = lastReload?.diagnostics ?? []
    status.lastReload?.diagnostics = findings.map(\.publicPart)
    // It may quote a finding.
    status.summary = ""
    status.warnings = []
    for index in status.targets.indices { status.targets[index].reason = nil }
    return status
  }
}

/// What became of a reload.
public struct Verdict: Sendable, Hashable {
  /// What became of it, in a word.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// A new generation is in force.
    case applied
    /// Nothing has changed.
    case unchanged
    /// The inputs or what was rendered from them have faults; nothing was touched.
    case refused
    /// A step failed, and what was there is back in place.
    case rolledBack = "rolled_back"
  }

  /// The number of the generation in force afterwards.
  public var generation: Int64
  /// What became of it.
  public var outcome: Outcome
  /// When that was decided.
  public var at: Timestamp
  /// What was found.
  public var diagnostics: [Diagnostic]

  /// Creates a verdict.
  public init(
    generation: Int64, outcome: Outcome, at: Timestamp, diagnostics: [Diagnostic] = []
  ) {
    self.generation = generation
    self.outcome = outcome
    self.at = at
    self.diagnostics = diagnostics
  }
}

extension Diagnostic {
  /// The severity and the places of a finding.
  fileprivate var publicPart: Diagnostic {
    Diagnostic(severity, "not shown to users outside the group 'settled'", at: place)
  }
}
