import SettledInputs
import Testing

/// One thing that happens at a time, in milliseconds.
struct Step: Sendable {
  var time: Int64
  var path: String
  var movement: Movement
}

/// Movements and the looks they must lead to.
struct ScheduleCase: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var steps: [Step]
  /// The times of the looks, in milliseconds, with what moved.
  var looks: [(time: Int64, moved: [String])]
  var quiet = Duration.zero

  init(
    _ name: String, _ steps: [(Int64, String, Movement)], looks: [(Int64, [String])],
    quiet: Duration = .zero
  ) {
    testDescription = name
    self.steps = steps.map { Step(time: $0.0, path: $0.1, movement: $0.2) }
    self.looks = looks.map { (time: $0.0, moved: $0.1) }
    self.quiet = quiet
  }
}

private func moment(_ milliseconds: Int64) -> Moment {
  Moment(nanoseconds: milliseconds * 1_000_000)
}

/// Runs the schedule on a virtual clock, asking it exactly when it wants to be asked.
private func looks(of test: ScheduleCase) -> [(time: Int64, moved: [String])] {
  var schedule = WatchSchedule(waits: WatchSchedule.Waits(quiet: test.quiet))
  var looks: [(time: Int64, moved: [String])] = []
  func decide(at time: Int64) {
    if case .look(let moved) = schedule.decide(at: moment(time)) { looks.append((time, moved)) }
  }
  func run(until time: Int64) {
    while let next = schedule.nextLook, next < moment(time) {
      decide(at: next.nanoseconds / 1_000_000)
    }
  }
  for step in test.steps {
    run(until: step.time)
    schedule.note(step.movement, of: step.path, at: moment(step.time))
    decide(at: step.time)
  }
  run(until: .max / 1_000_000)
  return looks
}

/// A writer that modifies `path` every 10 ms for `duration` ms, without ever closing it.
private func endlessWriter(_ path: String, duration: Int64) -> [(Int64, String, Movement)] {
  stride(from: 0, to: duration, by: 10).map { ($0, path, .modified) }
}

private let cases: [ScheduleCase] = [
  ScheduleCase("closed", [(0, "a", .finished)], looks: [(0, ["a"])]),
  ScheduleCase(
    "closed twice", [(0, "a", .finished), (3, "a", .finished)], looks: [(0, ["a"]), (3, ["a"])]),
  ScheduleCase(
    "modified, then closed", [(0, "a", .modified), (200, "a", .finished)], looks: [(200, ["a"])]),
  ScheduleCase("modified, never closed", [(0, "a", .modified)], looks: [(1000, ["a"])]),
  ScheduleCase(
    "modified again and again, never closed", endlessWriter("a", duration: 2500),
    looks: [(1000, ["a"]), (2010, ["a"]), (3020, ["a"])]),
  ScheduleCase("altered", [(0, "a", .altered)], looks: [(0, ["a"])]),
  ScheduleCase(
    "altered while it is written", [(0, "a", .modified), (200, "a", .altered)],
    looks: [(1000, ["a"])]),
  ScheduleCase(
    "vanished, back, and altered",
    [(0, "a", .vanished), (200, "a", .altered)], looks: [(200, ["a"])]),
  ScheduleCase("vanished for good", [(0, "a", .vanished)], looks: [(500, ["a"])]),
  ScheduleCase(
    "vanished and back", [(0, "a", .vanished), (200, "a", .finished)], looks: [(200, ["a"])]),
  ScheduleCase(
    "vanished, created, written, closed",
    [(0, "a", .vanished), (100, "a", .modified), (150, "a", .modified), (700, "a", .finished)],
    looks: [(700, ["a"])]),
  ScheduleCase(
    "vanished, told twice", [(0, "a", .vanished), (400, "a", .vanished)], looks: [(500, ["a"])]),
  ScheduleCase(
    "one closed while another is written",
    [(0, "b", .modified), (10, "a", .finished), (50, "b", .finished)], looks: [(50, ["a", "b"])]),
  ScheduleCase(
    "one closed while another is written without end",
    endlessWriter("b", duration: 1000) + [(1005, "a", .finished)],
    looks: [(1000, ["b"]), (1005, ["a"])]),
  ScheduleCase(
    "many that take turns cannot push the look on",
    (0..<40).map { ($0 * 100, "file\($0)", .modified) },
    looks: [
      (1500, (0...15).map { "file\($0)" }.sorted()), (3100, (16...31).map { "file\($0)" }.sorted()),
      (4700, (32...39).map { "file\($0)" }.sorted()),
    ]),
  ScheduleCase(
    "one that flips cannot push the look on",
    stride(from: 0, to: 1600, by: 40).map { ($0, "a", ($0 / 40) % 2 == 0 ? .vanished : .modified) },
    looks: [(1500, ["a"]), (2560, ["a"])]),
  ScheduleCase(
    "quiet: one", [(0, "a", .finished)], looks: [(100, ["a"])], quiet: .milliseconds(100)),
  ScheduleCase(
    "quiet: a deployment is one look",
    [(0, "a", .finished), (60, "b", .finished), (120, "c", .finished)],
    looks: [(220, ["a", "b", "c"])], quiet: .milliseconds(100)),
  ScheduleCase(
    "quiet: never quiet",
    stride(from: 0, to: 1600, by: 50).map { ($0, "a", .finished) },
    looks: [(1500, ["a"]), (1650, ["a"])], quiet: .milliseconds(100)),
]

struct WatchScheduleTests {
  @Test(arguments: cases)
  func `looks come when the input is complete, or when its wait is over`(test: ScheduleCase) {
    let found = looks(of: test)
    #expect(found.map(\.time) == test.looks.map(\.time))
    #expect(found.map(\.moved) == test.looks.map(\.moved))
  }

  @Test func `nothing moved means nothing to wait for`() {
    var schedule = WatchSchedule()
    #expect(schedule.decide(at: moment(0)) == .rest)
    #expect(schedule.nextLook == nil)
  }

  @Test func `a wait says when to ask again`() {
    var schedule = WatchSchedule()
    schedule.note(.vanished, of: "a", at: moment(100))
    #expect(schedule.decide(at: moment(100)) == .wait(until: moment(600)))
    #expect(schedule.decide(at: moment(599)) == .wait(until: moment(600)))
    #expect(schedule.decide(at: moment(600)) == .look(["a"]))
    #expect(schedule.decide(at: moment(600)) == .rest)
  }

  @Test func `an input that is watched no more is not waited for`() {
    var schedule = WatchSchedule()
    schedule.note(.modified, of: "a", at: moment(0))
    schedule.forget("a")
    #expect(schedule.decide(at: moment(2000)) == .rest)
  }

  @Test func `paths are told apart by their bytes`() {
    var schedule = WatchSchedule()
    schedule.note(.finished, of: "caf\u{E9}", at: moment(0))
    schedule.note(.finished, of: "cafe\u{301}", at: moment(0))
    guard case .look(let moved) = schedule.decide(at: moment(0)) else {
      Issue.record("no look")
      return
    }
    #expect(moved.count == 2)
  }
}
