import SettledValues

/// How an input moved, as far as it tells when to look at it.
///
/// It never tells whether anything changed: that is for whoever compares the content.
public enum Movement: Sendable, Hashable {
  /// It is complete: closed after writing, moved in, or its link replaced.
  case finished
  /// Its attributes changed, which tells nothing about a writer.
  case altered
  /// It was modified, and may still be open for writing.
  case modified
  /// Nothing stands there any more.
  case vanished
}

/// When to look at inputs that moved: at once when complete, else after a wait that is bounded.
///
/// It knows inputs by path and time by what it is told, and touches nothing.
public struct WatchSchedule: Sendable {
  /// The waits.
  public struct Waits: Sendable, Hashable {
    /// The longest wait for a file that was modified and not yet closed.
    public var writer: Duration
    /// The wait for a file that vanished.
    public var absence: Duration
    /// The time for which nothing may move before a look.
    public var quiet: Duration

    /// Creates the waits; without `quiet` nothing but an incomplete input is waited for.
    public init(
      writer: Duration = .seconds(1), absence: Duration = .milliseconds(500),
      quiet: Duration = .zero
    ) {
      self.writer = writer
      self.absence = absence
      self.quiet = quiet
    }

    /// The longest time from the first movement to a look, whatever else moves meanwhile.
    public var longest: Duration { max(writer + absence, quiet * 10) }
  }

  /// What to do about the inputs.
  public enum Decision: Sendable, Hashable {
    /// Look at all inputs now; these moved, in byte order of their paths.
    case look([String])
    /// Ask again at this instant, unless something moves before it.
    case wait(until: Moment)
    /// Nothing has moved.
    case rest
  }

  private struct Pending {
    var path: String
    var movement: Movement
    /// When the wait for it is over.
    var due: Moment
  }

  /// The waits in force.
  public var waits: Waits
  /// What moved since the last look, by its path.
  private var pending: [Value: Pending] = [:]
  private var firstMovement = Moment(nanoseconds: 0)
  private var lastMovement = Moment(nanoseconds: 0)

  /// Creates a schedule in which nothing has moved.
  public init(waits: Waits = Waits()) {
    self.waits = waits
  }

  /// Takes note that the input at `path` moved.
  public mutating func note(_ movement: Movement, of path: String, at now: Moment) {
    if pending.isEmpty { firstMovement = now }
    lastMovement = now
    let key = Value.string(path)
    // The wait runs from the first sign of one kind: a writer cannot push it on by writing more.
    if let known = pending[key]?.movement, known == movement { return }
    if movement == .altered, pending[key]?.movement == .modified { return }
    pending[key] = Pending(path: path, movement: movement, due: now + wait(for: movement))
  }

  /// Decides what to do at `now`; once it says to look, all that moved before is settled.
  public mutating func decide(at now: Moment) -> Decision {
    guard let due = nextLook else { return .rest }
    guard due <= now else { return .wait(until: due) }
    let moved = pending.values.map(\.path).sorted { $0.precedesByBytes($1) }
    pending.removeAll()
    return .look(moved)
  }

  /// The instant of the next look, if nothing moves before it.
  public var nextLook: Moment? {
    guard let due = pending.values.map(\.due).max() else { return nil }
    return min(max(due, lastMovement + waits.quiet), firstMovement + waits.longest)
  }

  /// The inputs that are in the midst of a save, for all that is known: modified and perhaps still
  /// open for writing, or vanished and perhaps about to return.
  var incomplete: [String] {
    pending.values.filter { $0.movement == .modified || $0.movement == .vanished }.map(\.path)
  }

  /// Forgets an input that is watched no more.
  public mutating func forget(_ path: String) {
    pending[.string(path)] = nil
  }

  private func wait(for movement: Movement) -> Duration {
    switch movement {
    case .finished, .altered: .zero
    case .modified: waits.writer
    case .vanished: waits.absence
    }
  }
}
