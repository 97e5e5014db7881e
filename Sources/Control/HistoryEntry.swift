public import SettledValues

/// What a pass did, as it is remembered.
public struct HistoryEntry: Sendable, Hashable {
  /// Why a pass was made.
  public enum Cause: String, Sendable, Hashable, CaseIterable {
    /// The daemon started.
    case start
    /// An input was edited.
    case edit
    /// A reload was asked for on the control socket.
    case reload
    /// SIGHUP asked for a reload.
    case signal
    /// What failed was tried again.
    case retry
    /// Targets were to be put into place again.
    case apply
    /// The file of a target moved, or was looked at.
    case drift
  }

  /// What became of the file of a target.
  public struct Step: Sendable, Hashable {
    /// The target.
    public var target: String
    /// Its file.
    public var file: String
    /// What was done to the file: `create`, `replace`, `attributes`, `remove`; `drift` where it was
    /// only told what became of it.
    public var change: String
    /// Why.
    public var reason: String

    /// Creates a step.
    public init(target: String, file: String, change: String, reason: String) {
      self.target = target
      self.file = file
      self.change = change
      self.reason = reason
    }
  }

  /// What became of an action.
  public struct Act: Sendable, Hashable {
    /// How an action ended.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
      /// It was done.
      case done
      /// There was nothing to do.
      case skipped
      /// It failed.
      case failed
    }

    /// The action in a few words.
    public var action: String
    /// The targets that asked for it.
    public var targets: [String]
    /// How it ended.
    public var outcome: Outcome
    /// Why it was skipped or failed, or else why it was done.
    public var reason: String

    /// Creates what became of an action.
    public init(action: String, targets: [String], outcome: Outcome, reason: String) {
      self.action = action
      self.targets = targets
      self.outcome = outcome
      self.reason = reason
    }
  }

  /// How many entries are kept.
  public static let limit = 100
  /// How many paths, inputs, steps, actions and targets an entry tells of, each.
  public static let listLimit = 20
  /// How many findings an entry tells of.
  public static let findingLimit = 5
  /// How many bytes of a text an entry keeps.
  public static let textLimit = 300

  /// The generation in force afterwards.
  public var generation: Int64
  /// When it ended.
  public var at: Timestamp
  /// Why it was made.
  public var cause: Cause
  /// What became of it.
  public var outcome: Verdict.Outcome
  /// How long it took.
  public var duration: Duration
  /// The paths of settings that changed.
  public var paths: [String] = []
  /// The derived values that changed.
  public var derived: [String] = []
  /// The inputs that changed.
  public var inputs: [String] = []
  /// What was done to files.
  public var steps: [Step] = []
  /// What was done after that.
  public var actions: [Act] = []
  /// The findings, each in a line.
  public var findings: [String] = []
  /// Whether there was more of something than is kept.
  public var isCut = false

  /// Creates an entry that tells of no change.
  public init(
    generation: Int64, at: Timestamp, cause: Cause, outcome: Verdict.Outcome, duration: Duration
  ) {
    self.generation = generation
    self.at = at
    self.cause = cause
    self.outcome = outcome
    self.duration = duration
  }

  /// The entry with nothing longer than an entry keeps.
  public var bounded: HistoryEntry {
    var entry = self
    entry.cut(\.paths, to: Self.listLimit)
    entry.cut(\.derived, to: Self.listLimit)
    entry.cut(\.inputs, to: Self.listLimit)
    entry.cut(\.steps, to: Self.listLimit)
    entry.cut(\.actions, to: Self.listLimit)
    entry.cut(\.findings, to: Self.findingLimit)
    for index in entry.paths.indices { entry.paths[index].cutShort() }
    for index in entry.steps.indices { entry.steps[index].reason.cutShort() }
    for index in entry.findings.indices { entry.findings[index].cutShort() }
    for index in entry.actions.indices {
      entry.actions[index].reason.cutShort()
      entry.actions[index].targets = Array(entry.actions[index].targets.prefix(Self.listLimit))
    }
    return entry
  }

  private mutating func cut<Element>(
    _ list: WritableKeyPath<HistoryEntry, [Element]>, to limit: Int
  ) {
    guard self[keyPath: list].count > limit else { return }
    self[keyPath: list].removeSubrange(limit...)
    isCut = true
  }
}

extension String {
  fileprivate mutating func cutShort() {
    guard utf8.count > HistoryEntry.textLimit else { return }
    var end = index(startIndex, offsetBy: HistoryEntry.textLimit, limitedBy: endIndex) ?? endIndex
    while utf8[..<end].count > HistoryEntry.textLimit { end = index(before: end) }
    self = self[..<end] + "..."
  }
}
