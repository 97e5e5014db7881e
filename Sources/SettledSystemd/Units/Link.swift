/// Our side of a conversation with PID 1: its methods and properties over one connection.
final class Link {
  typealias Instant = ContinuousClock.Instant

  private static let unitInterface = "org.freedesktop.systemd1.Unit"
  private static let serviceInterface = "org.freedesktop.systemd1.Service"
  private static let managerInterface = "org.freedesktop.systemd1.Manager"

  private let bus: Bus
  private var endedJobs = EndedJobs()
  /// The unit that this process runs in, nil outside of systemd.
  private(set) var own: Unit?

  /// A unit's object and what it was like.
  struct Unit {
    let path: String
    let state: UnitState
  }

  /// Connects, and asks to hear of jobs that end.
  init(
    address: String?, progress: @escaping () -> Bool, before deadline: Instant
  ) throws(UnitFailure) {
    bus = try Self.translating { () throws(BusFault) in
      try Bus(address: address, progress: progress)
    }
    let rule =
      "type='signal',sender='org.freedesktop.systemd1',path='/org/freedesktop/systemd1',"
      + "interface='org.freedesktop.systemd1.Manager',member='JobRemoved'"
    let addMatch = Bus.Method(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
      interface: "org.freedesktop.DBus", member: "AddMatch")
    _ = try call(addMatch, [.string(rule)], before: deadline)
    _ = try manager("Subscribe", before: deadline)
    own = try ownUnit(before: deadline)
  }

  /// Calls a method of the manager.
  func manager(
    _ member: String, _ arguments: [BusMessage.Argument] = [], before deadline: Instant
  ) throws(UnitFailure) -> BusMessage {
    let method = Bus.Method(interface: Self.managerInterface, member: member)
    return try call(method, arguments, before: deadline)
  }

  private func call(
    _ method: Bus.Method, _ arguments: [BusMessage.Argument], before deadline: Instant
  ) throws(UnitFailure) -> BusMessage {
    try Self.translating { () throws(BusFault) in
      try bus.call(method, arguments, before: deadline) { endedJobs.note($0) }
    }
  }

  private static func translating<Success>(
    _ body: () throws(BusFault) -> Success
  ) throws(UnitFailure) -> Success {
    do throws(BusFault) {
      return try body()
    } catch {
      throw UnitFailure(error)
    }
  }

  /// Queues a job for a unit by the manager's method `member`: the path of the job.
  func queue(
    _ member: String, _ unit: Unit, mode: String, before deadline: Instant
  ) throws(UnitFailure) -> String {
    // The job may end before its path is known, so the ends of all jobs are kept until then.
    endedJobs = EndedJobs(path: nil)
    let arguments: [BusMessage.Argument] = [.string(unit.state.name), .string(mode)]
    let answer = try manager(member, arguments, before: deadline)
    guard let path = answer.string(BusMessage.Code.path) else {
      throw .refused(name: member, message: "no job in the answer")
    }
    endedJobs.path = path
    return path
  }

  /// Goes on to wait for a job that was queued over an earlier connection.
  ///
  /// - Returns: False if the job has ended meanwhile.
  func resume(_ path: String, before deadline: Instant) throws(UnitFailure) -> Bool {
    endedJobs = EndedJobs(path: path)
    let job = try properties(of: path, "org.freedesktop.systemd1.Job", before: deadline)
    return job != nil
  }

  /// The result of the job queued last; nil when `time` has passed and it has not ended.
  func jobResult(
    waiting time: Duration, before deadline: Instant
  ) throws(UnitFailure) -> String? {
    if let result = endedJobs.result { return result }
    let end = ContinuousClock.now + time
    do throws(BusFault) {
      return try bus.next(before: min(end, deadline)) { message in
        endedJobs.note(message)
        return endedJobs.result
      }
    } catch {
      guard case .outOfTime = error, end < deadline else { throw UnitFailure(error) }
      return nil
    }
  }

  /// Lets the time until `end` pass.
  func pause(until end: Instant, before deadline: Instant) throws(UnitFailure) {
    let rest = ContinuousClock.now.duration(to: end)
    guard rest > .zero else { return }
    try Self.translating { () throws(BusFault) in
      try bus.pause(rest, before: deadline) { endedJobs.note($0) }
    }
  }

  /// Makes systemd read unit files that have changed.
  func daemonReload(before deadline: Instant) throws(UnitFailure) {
    _ = try manager("Reload", before: deadline)
  }

  /// Takes a job that has not run out of the queue.
  func cancel(_ job: UInt32, before deadline: Instant) throws(UnitFailure) {
    do throws(UnitFailure) {
      _ = try manager("CancelJob", [.uint32(job)], before: deadline)
    } catch {
      // It has ended meanwhile.
      guard case .refused = error else { throw error }
    }
  }

  /// Forgets that a unit failed, and how often it was started: a limit of that is no reason any more.
  ///
  /// Who may start it need not have this right, and mostly does without.
  func resetFailed(_ unit: Unit, before deadline: Instant) {
    _ = try? manager("ResetFailedUnit", [.string(unit.state.name)], before: deadline)
  }

  /// Sends a signal to a unit's main process.
  func kill(_ unit: Unit, _ signal: Int32, before deadline: Instant) throws(UnitFailure) {
    let arguments: [BusMessage.Argument] = [
      .string(unit.state.name), .string("main"), .int32(signal),
    ]
    _ = try manager("KillUnit", arguments, before: deadline)
  }

  /// The unit `name`, once it is not on its way up or down: then a job for it is sure to run.
  func restingUnit(_ name: String, before deadline: Instant) throws(UnitFailure) -> Unit {
    while true {
      let unit = try unit(name, before: deadline)
      guard unit.state.name != own?.state.name else { throw .ownUnit }
      guard unit.state.isMoving else { return unit }
      try pause(until: .now + .milliseconds(100), before: deadline)
    }
  }

  /// Loads the unit `name`.
  func unit(_ name: String, before deadline: Instant) throws(UnitFailure) -> Unit {
    let answer = try manager("LoadUnit", [.string(name)], before: deadline)
    guard let path = answer.string(BusMessage.Code.path) else { throw .unknown }
    let unit = Unit(path: path, state: try state(of: path, before: deadline))
    switch unit.state.load {
    case "loaded": return unit
    case "not-found": throw .unknown
    default: throw .notLoaded(unit.state.load)
    }
  }

  private func ownUnit(before deadline: Instant) throws(UnitFailure) -> Unit? {
    do throws(UnitFailure) {
      let answer = try manager("GetUnitByPID", [.uint32(0)], before: deadline)
      guard let path = answer.string(BusMessage.Code.path) else { return nil }
      return Unit(path: path, state: try state(of: path, before: deadline))
    } catch {
      // In no unit, as in a container or a test.
      guard case .refused = error else { throw error }
      return nil
    }
  }

  /// Reads how a unit stands.
  func state(of path: String, before deadline: Instant) throws(UnitFailure) -> UnitState {
    UnitState(
      unit: try properties(of: path, Self.unitInterface, before: deadline) ?? Properties(),
      service: try properties(of: path, Self.serviceInterface, before: deadline) ?? Properties())
  }

  /// The number of the job that runs or waits for a unit, nil if there is none.
  func job(of unit: Unit, before deadline: Instant) throws(UnitFailure) -> UInt32? {
    let properties = try properties(of: unit.path, Self.unitInterface, before: deadline)
    let number = properties?.number("Job")
    return number == 0 ? nil : number
  }

  /// The numbers of the jobs that the job `number` waits for, none if it has ended.
  func jobsBefore(_ number: UInt32, before deadline: Instant) throws(UnitFailure) -> [UInt32] {
    do throws(UnitFailure) {
      let answer = try manager("GetJobBefore", [.uint32(number)], before: deadline)
      return answer.inside(BusMessage.Code.array, "(usssoo)") { Self.jobNumbers(answer) } ?? []
    } catch {
      guard case .refused = error else { throw error }
      return []
    }
  }

  private static func jobNumbers(_ answer: BusMessage) -> [UInt32] {
    var numbers: [UInt32] = []
    while let number = answer.inside(
      BusMessage.Code.structure, "usssoo",
      {
        let number = answer.uint32()
        answer.skip("sssoo")
        return number
      })
    {
      numbers.append(number)
    }
    return numbers
  }

  /// Nil where the object is gone, or has no such interface.
  private func properties(
    of path: String, _ interface: String, before deadline: Instant
  ) throws(UnitFailure) -> Properties? {
    let getAll = Bus.Method(
      path: path, interface: "org.freedesktop.DBus.Properties", member: "GetAll")
    do throws(UnitFailure) {
      return Properties(try call(getAll, [.string(interface)], before: deadline))
    } catch {
      guard case .refused = error else { throw error }
      return nil
    }
  }
}
