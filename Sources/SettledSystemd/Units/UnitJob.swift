/// One job for one unit: queued, followed to its end, judged.
///
/// It remembers what it has queued, so that it can go on over another connection.
final class UnitJob {
  typealias Instant = ContinuousClock.Instant

  private let verb: UnitVerb
  private let name: String
  private let starts: Bool
  /// Whether the unit had failed before the job.
  private var hadFailed = false
  /// The job that was queued last, and how.
  private var queued: (path: String, mode: Mode)?

  private enum Mode: String {
    case replace
    case ignoreDependencies = "ignore-dependencies"
  }

  /// How a wait for a job ended.
  private enum Ending {
    case removed(result: String)
    case unseen
    case blockedByOurJob
  }

  /// The most jobs looked through for one that waits for ours.
  private static let jobLimit = 1000

  init(_ verb: UnitVerb, _ name: String, starts: Bool) {
    self.verb = verb
    self.name = name
    self.starts = starts
  }

  /// Runs the job, or goes on with it, and judges the unit right after its end.
  func run(over link: Link, before deadline: Instant) throws(UnitFailure) -> UnitOutcome {
    do throws(UnitFailure) {
      return try outcome(over: link, before: deadline)
    } catch {
      if case .noBus = error { throw error }
      guard hadFailed, !starts else { throw error }
      return .stillDown(error)
    }
  }

  private func outcome(over link: Link, before deadline: Instant) throws(UnitFailure) -> UnitOutcome
  {
    if let queued, try !link.resume(queued.path, before: deadline) {
      return try judge(.unseen, try link.unit(name, before: deadline).state)
    }
    let unit =
      try queued == nil
      ? link.restingUnit(name, before: deadline) : link.unit(name, before: deadline)
    if queued == nil {
      hadFailed = unit.state.hasFailed
      guard unit.state.isUp || hadFailed || starts else { return .skipped(unit.state) }
      if hadFailed { link.resetFailed(unit, before: deadline) }
      if unit.state.needsDaemonReload { try link.daemonReload(before: deadline) }
      let isDirect = try isOrderedAfterOurJob(unit, link, before: deadline)
      let mode = isDirect ? Mode.ignoreDependencies : .replace
      let method = unit.state.isUp ? verb.rawValue : verb.startingMethod
      try queue(method, mode, unit, link, before: deadline)
    }
    var ending = try follow(link, before: deadline)
    if case .blockedByOurJob = ending {
      // It was up, and the job just cancelled may have stopped it.
      try queue(verb.startingMethod, .ignoreDependencies, unit, link, before: deadline)
      ending = try follow(link, before: deadline)
    }
    return try judge(ending, try link.state(of: unit.path, before: deadline))
  }

  private func judge(_ ending: Ending, _ state: UnitState) throws(UnitFailure) -> UnitOutcome {
    switch ending {
    case .removed(result: "done"): break
    case .removed(let result): throw .job(result: result, state)
    case .unseen where verb == .reload && ![nil, "success"].contains(state.reloadResult),
      .blockedByOurJob:
      throw .job(result: "unknown", state)
    case .unseen: break
    }
    guard state.isUp else { throw .notActive(state) }
    return .done(state, avoidedDeadlock: queued?.mode == .ignoreDependencies)
  }

  private func queue(
    _ method: String, _ mode: Mode, _ unit: Link.Unit, _ link: Link, before deadline: Instant
  ) throws(UnitFailure) {
    let path = try link.queue(method, unit, mode: mode.rawValue, before: deadline)
    queued = (path, mode)
  }

  /// Waits for the job's end; looks again and again whether it waits for ours.
  private func follow(_ link: Link, before deadline: Instant) throws(UnitFailure) -> Ending {
    guard let queued else { return .unseen }
    let number = queued.path.split(separator: "/").last.flatMap { UInt32($0) }
    while true {
      if queued.mode == .replace, let number,
        try isBehindOurJob(number, link, before: deadline)
      {
        try link.cancel(number, before: deadline)
        return .blockedByOurJob
      }
      if let result = try link.jobResult(waiting: Bus.slice, before: deadline) {
        return .removed(result: result)
      }
    }
  }

  /// Whether our own unit has a job and the unit is ordered after it.
  ///
  /// With the mode `replace` a restart would stop the unit at once, and start it only after us.
  private func isOrderedAfterOurJob(
    _ unit: Link.Unit, _ link: Link, before deadline: Instant
  ) throws(UnitFailure) -> Bool {
    guard let own = link.own, unit.state.after.contains(own.state.name) else { return false }
    return try link.job(of: own, before: deadline) != nil
  }

  /// Follows what the job waits for, from job to job, to our own one.
  private func isBehindOurJob(
    _ number: UInt32, _ link: Link, before deadline: Instant
  ) throws(UnitFailure) -> Bool {
    guard let own = link.own, let ours = try link.job(of: own, before: deadline) else {
      return false
    }
    var seen: Set<UInt32> = [number]
    var open = [number]
    while let next = open.popLast(), seen.count < Self.jobLimit {
      for job in try link.jobsBefore(next, before: deadline) where seen.insert(job).inserted {
        if job == ours { return true }
        open.append(job)
      }
    }
    return false
  }
}
