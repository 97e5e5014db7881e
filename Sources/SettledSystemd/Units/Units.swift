internal import Glibc

/// Reloads, restarts and signals units through systemd's bus, and waits for the truth about it.
///
/// Calls block; make them on a thread of their own that no unit's start waits for, and use one
/// `Units` on one thread at a time. A connection is made when it is needed, and again when the bus
/// was restarted.
///
/// A job that would wait for a job of our own unit (ours is starting or reloading, and the other
/// unit is ordered after it) is queued without the other unit's dependencies: the two would wait
/// for each other until one of them runs out of time.
public final class Units {
  private let address: String?
  private let progress: () -> Bool
  private var link: Link?

  /// Creates an access to the units of the system.
  ///
  /// - Parameters:
  ///   - address: The D-Bus address of another bus than the system's.
  ///   - progress: Called at least twice a second while a call waits, so that the caller can show
  ///     that it is alive; false ends the wait with ``UnitFailure/abandoned``.
  public init(address: String? = nil, progress: @escaping () -> Bool = { true }) {
    self.address = address
    self.progress = progress
  }

  /// Queues a job for the unit `name` and waits for its end, at most `limit`.
  ///
  /// Where systemd's text of the unit is older than its files, they are read first. A unit that has
  /// failed should be up, and is started; one that was stopped is left so.
  ///
  /// - Parameters:
  ///   - verb: What to do.
  ///   - name: The unit.
  ///   - limit: How long it may take.
  ///   - starts: Whether the unit is to be up however it stands, as it was before what brought it
  ///     down.
  /// - Returns: How it ended.
  public func run(
    _ verb: UnitVerb, _ name: String, within limit: Duration = .seconds(90), starts: Bool = false
  ) -> UnitOutcome {
    let job = UnitJob(verb, name, starts: starts)
    return attempt(within: limit) { link, deadline throws(UnitFailure) in
      try job.run(over: link, before: deadline)
    }
  }

  /// Sends the signal `number` to the main process of the unit `name`.
  public func signal(
    _ name: String, _ number: Int32, within limit: Duration = .seconds(25)
  ) -> UnitOutcome {
    attempt(within: limit) { link, deadline throws(UnitFailure) in
      let unit = try link.restingUnit(name, before: deadline)
      guard unit.state.isUp else { return .skipped(unit.state) }
      try link.kill(unit, number, before: deadline)
      return .done(unit.state, avoidedDeadlock: false)
    }
  }

  /// How the unit `name` stands.
  public func state(
    of name: String, within limit: Duration = .seconds(25)
  ) throws(UnitFailure) -> UnitState {
    try retrying(before: .now + limit) { link, deadline throws(UnitFailure) in
      try link.unit(name, before: deadline).state
    }
  }

  /// Looks again at units `settle` after their jobs: nil for each that is still up in the same run.
  ///
  /// For many units it waits once, for the last of them.
  public func confirm(
    _ states: [UnitState], after settle: Duration = .seconds(2)
  ) -> [UnitFailure?] {
    guard let last = states.map(\.seen).max() else { return [] }
    do throws(UnitFailure) {
      try retrying(before: last + settle + .seconds(25)) { link, deadline throws(UnitFailure) in
        try link.pause(until: last + settle, before: deadline)
      }
    } catch {
      return states.map { _ in error }
    }
    return states.map(confirm)
  }

  private func confirm(_ before: UnitState) -> UnitFailure? {
    do throws(UnitFailure) {
      let now = try state(of: before.name)
      let isSameRun = now.invocation == before.invocation && now.restarts == before.restarts
      return now.isUp && isSameRun ? nil : .notStable(now)
    } catch {
      return error
    }
  }

  private typealias Body<Success> = (Link, ContinuousClock.Instant) throws(UnitFailure) -> Success

  private func attempt(within limit: Duration, _ body: Body<UnitOutcome>) -> UnitOutcome {
    do throws(UnitFailure) {
      return try retrying(before: .now + limit, body)
    } catch {
      return .failed(error)
    }
  }

  /// Runs `body` over a connection; again over a new one where an old one turned out to be lost.
  ///
  /// A first connection that fails is not tried again: then there is no bus.
  private func retrying<Success>(
    before deadline: ContinuousClock.Instant, _ body: Body<Success>
  ) throws(UnitFailure) -> Success {
    var wasConnected = link != nil
    while true {
      do throws(UnitFailure) {
        let link = try connected(before: deadline)
        wasConnected = true
        return try body(link, deadline)
      } catch {
        guard case .noBus = error else { throw error }
        link = nil
        guard wasConnected, ContinuousClock.now < deadline else { throw error }
        guard progress() else { throw .abandoned }
        usleep(Self.reconnectPause)
      }
    }
  }

  private func connected(before deadline: ContinuousClock.Instant) throws(UnitFailure) -> Link {
    if let link { return link }
    let new = try Link(address: address, progress: progress, before: deadline)
    link = new
    return new
  }

  /// Microseconds between two tries to reach a bus that was lost.
  private static let reconnectPause: UInt32 = 100_000
}
