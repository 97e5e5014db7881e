import Glibc
import SettledInputs
import Testing

/// A clock that stands still until it is told to go on.
final class VirtualClock {
  var now = Moment(nanoseconds: 1_000_000_000)

  func advance(by duration: Duration) {
    now = now + duration
  }
}

/// Both ends of a pipe.
private final class Pipe {
  let reading: CInt
  let writing: CInt

  init() {
    var ends: [CInt] = [-1, -1]
    pipe(&ends)
    (reading, writing) = (ends[0], ends[1])
  }

  func write(_ text: String) {
    _ = Glibc.write(writing, text, text.utf8.count)
  }

  func read() -> String {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(reading, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  deinit {
    close(reading)
    close(writing)
  }
}

struct EventLoopTests {
  @Test func `a handler runs when its descriptor is ready, and not before`() throws {
    let (loop, pipe) = (try EventLoop(), Pipe())
    var heard: [String] = []
    _ = try loop.add(pipe.reading) { _ in heard.append(pipe.read()) }
    try loop.turn(atMost: .zero)
    #expect(heard == [])
    pipe.write("one")
    try loop.turn()
    #expect(heard == ["one"])
  }

  @Test func `what a handler leaves unread is told again`() throws {
    let (loop, pipe) = (try EventLoop(), Pipe())
    var calls = 0
    _ = try loop.add(pipe.reading) { _ in calls += 1 }
    pipe.write("one")
    for _ in 0..<3 { try loop.turn() }
    #expect(calls == 3)
  }

  @Test func `a handler that was removed in the same turn does not run`() throws {
    let (loop, first, second) = (try EventLoop(), Pipe(), Pipe())
    var (ran, registrations) = ([String](), [EventLoop.Registration]())
    for (name, pipe) in [("first", first), ("second", second)] {
      registrations.append(
        try loop.add(pipe.reading) { _ in
          ran.append(name)
          for registration in registrations { loop.remove(registration) }
        })
      pipe.write("x")
    }
    try loop.turn()
    try loop.turn(atMost: .zero)
    #expect(ran.count == 1)
  }

  @Test func `the end of a writer is told as closed`() throws {
    let loop = try EventLoop()
    var ends: [CInt] = [-1, -1]
    pipe(&ends)
    defer { close(ends[0]) }
    var seen: EventLoop.Readiness = []
    _ = try loop.add(ends[0]) { seen = $0 }
    close(ends[1])
    try loop.turn()
    #expect(!seen.isDisjoint(with: .closed))
  }

  @Test func `what a descriptor is waited for can be changed`() throws {
    let (loop, pipe) = (try EventLoop(), Pipe())
    var seen: [EventLoop.Readiness] = []
    let registration = try loop.add(pipe.writing, for: []) { seen.append($0) }
    try loop.turn(atMost: .zero)
    #expect(seen == [])
    try loop.change(registration, to: .writable)
    try loop.turn()
    #expect(seen == [.writable])
  }

  @Test func `a descriptor that cannot be waited for is an error`() throws {
    let loop = try EventLoop()
    #expect(throws: (any Error).self) { try loop.add(-1) { _ in } }
  }

  @Test func `timers run in order of their deadlines, equal ones in order of their adding`() throws
  {
    let clock = VirtualClock()
    let loop = try EventLoop(clock: { clock.now })
    var ran: [Int] = []
    for (number, delay) in [30, 10, 20, 10].enumerated() {
      loop.schedule(after: .milliseconds(delay)) { ran.append(number) }
    }
    try loop.turn(atMost: .zero)
    #expect(ran == [])
    clock.advance(by: .milliseconds(20))
    try loop.turn()
    #expect(ran == [1, 3, 2])
    #expect(loop.nextDeadline == clock.now + .milliseconds(10))
    clock.advance(by: .seconds(5))
    try loop.turn()
    #expect(ran == [1, 3, 2, 0])
    #expect(loop.nextDeadline == nil)
  }

  @Test func `a cancelled timer does not run`() throws {
    let clock = VirtualClock()
    let loop = try EventLoop(clock: { clock.now })
    var ran: [String] = []
    let first = loop.schedule(after: .seconds(1)) { ran.append("first") }
    loop.schedule(after: .seconds(1)) { ran.append("second") }
    loop.cancel(first)
    clock.advance(by: .seconds(1))
    try loop.turn()
    #expect(ran == ["second"])
  }

  @Test func `a timer that renews itself does not hold up the turn`() throws {
    let clock = VirtualClock()
    let loop = try EventLoop(clock: { clock.now })
    var runs = 0
    func again() {
      runs += 1
      if runs < 3 { loop.schedule(at: clock.now, again) }
    }
    loop.schedule(at: clock.now, again)
    try loop.turn()
    #expect(runs == 1)
    try loop.turn()
    #expect(runs == 2)
    try loop.turn()
    #expect(runs == 3)
    #expect(loop.nextDeadline == nil)
  }

  @Test func `a real timer is never early`() throws {
    let loop = try EventLoop()
    let start = Moment.now
    var lasted = Duration.zero
    loop.schedule(after: .microseconds(2_300)) {
      lasted = Moment.now - start
      loop.stop()
    }
    try loop.run()
    #expect(lasted >= .microseconds(2_300))
  }
}
