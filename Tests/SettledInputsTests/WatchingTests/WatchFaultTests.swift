import Glibc
import SettledInputs
import TestSupport
import Testing

/// A notifier that has room for so many watches, and may lose events.
private final class CrampedNotifier: Notifier {
  let inotify: Inotify
  /// The kernel's limits, as a test sets them.
  final class Limits {
    var watches = Int.max
    var instances = 1
  }

  let limits: Limits
  private var watches: Set<CInt> = []
  var isOverflowing = false

  init(_ limits: Limits) throws(SystemError) {
    guard limits.instances > 0 else { throw SystemError("open", "inotify", code: EMFILE) }
    self.limits = limits
    inotify = try Inotify()
  }

  var descriptor: CInt { inotify.descriptor }

  func add(_ path: String, _ mask: UInt32) throws(SystemError) -> CInt {
    let watch = try inotify.add(path, mask)
    if watches.insert(watch).inserted, watches.count > limits.watches {
      remove(watch)
      throw SystemError("watch", path, code: ENOSPC)
    }
    return watch
  }

  func remove(_ watch: CInt) {
    watches.remove(watch)
    inotify.remove(watch)
  }

  func takeEvents() -> [InotifyEvent] {
    let events = inotify.takeEvents()
    guard isOverflowing, !events.isEmpty else { return events }
    return [InotifyEvent(watch: -1, mask: UInt32(IN_Q_OVERFLOW))]
  }
}

/// A folder with `a`, `b` and `conf`, and a watcher of them under limits.
private struct CrampedFolder {
  let folder: TemporaryDirectory
  let limits = CrampedNotifier.Limits()
  let watcher: Watcher
  var now = Moment(nanoseconds: 0)
  final class Opened { var notifier: CrampedNotifier? }
  let opened = Opened()

  init(watches: Int = .max, instances: Int = 1) throws {
    (limits.watches, limits.instances) = (watches, instances)
    folder = try TemporaryDirectory()
    mkdir(folder.path("conf"), 0o755)
    for name in ["a", "b", "conf/c"] { try folder.write("1", to: name) }
    watcher = Watcher { [limits, opened] () throws(SystemError) in
      let notifier = try CrampedNotifier(limits)
      opened.notifier = notifier
      return notifier
    }
    watcher.watch(["a", "b", "conf/*"].map { input(folder.path($0)) }, at: now)
  }

  /// Takes as many polls as it needs to look, and tells what moved.
  mutating func look(polls: Int) -> [String] {
    for _ in 0...polls {
      if case .look(let moved) = watcher.process(at: now) {
        return moved.map { String($0.dropFirst(folder.path.count + 1)) }
      }
      now = watcher.nextDeadline ?? now
    }
    return []
  }
}

struct WatchFaultTests {
  @Test func `without inotify it polls, says which limit, and recovers`() throws {
    var folder = try CrampedFolder(instances: 0)
    guard case .polling(let reason) = folder.watcher.health else {
      Issue.record("not polling")
      return
    }
    #expect(reason.contains("fs.inotify.max_user_instances"))
    #expect(folder.watcher.descriptor == nil)
    #expect(folder.watcher.nextDeadline == folder.now + .seconds(1))
    #expect(folder.look(polls: 3) == [])
    try folder.folder.write("2", to: "a")
    try folder.folder.write("2", to: "conf/d")
    #expect(folder.look(polls: 3) == ["a", "conf/d"])
    folder.limits.instances = 1
    try folder.folder.write("3", to: "b")
    #expect(folder.look(polls: 3) == ["b"])
    #expect(folder.watcher.health == .ok)
    #expect(folder.watcher.nextDeadline == nil)
    try folder.folder.write("4", to: "b")
    #expect(folder.look(polls: 0) == ["b"])
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5])
  func `without room for watches it polls what it cannot watch, and recovers`(room: Int) throws {
    var folder = try CrampedFolder(watches: room)
    guard case .polling(let reason) = folder.watcher.health else {
      Issue.record("not polling")
      return
    }
    #expect(reason.contains("fs.inotify.max_user_watches"))
    try folder.folder.write("2", to: "a")
    #expect(folder.look(polls: 3) == ["a"])
    try folder.folder.write("2", to: "conf/c")
    #expect(folder.look(polls: 3) == ["conf/c"])
    folder.limits.watches = .max
    #expect(folder.look(polls: 2) == [])
    #expect(folder.watcher.health == .ok)
    #expect(folder.watcher.nextDeadline == nil)
    try folder.folder.write("3", to: "conf/c")
    #expect(folder.look(polls: 0) == ["conf/c"])
    #expect(folder.watcher.missedByInotify == 0)
  }

  @Test func `when events are lost everything is looked at`() throws {
    var folder = try CrampedFolder()
    folder.opened.notifier?.isOverflowing = true
    try folder.folder.write("2", to: "b")
    #expect(folder.look(polls: 0) == ["a", "b", "conf/c"])
    #expect(folder.watcher.overflows == 1)
    folder.opened.notifier?.isOverflowing = false
    try folder.folder.write("3", to: "b")
    #expect(folder.look(polls: 0) == ["b"])
  }

  @Test func `a real overflow of the queue loses nothing`() throws {
    let folder = try WatchedFolder(["a", "conf/*"], layout: "mkdir conf")
    let limit = readFile("/proc/sys/fs/inotify/max_queued_events").flatMap {
      Int(String(decoding: $0.dropLast(), as: UTF8.self))
    }
    let count = try #require(limit) + 10
    for _ in 0...count / 3 {
      for name in ["x", "y"] {
        close(creat(folder.folder.path(name), 0o644))
        unlink(folder.folder.path(name))
      }
    }
    try folder.run("echo 1 > a; mkdir conf/sub; rmdir conf/sub; echo 1 > conf/b")
    let looks = folder.looks()
    #expect(looks.last?.moved == ["a", "conf/b"])
    #expect(folder.watcher.overflows == 1)
    #expect(folder.watcher.compare(at: folder.now) == .rest)
  }

  @Test func `what no event told is found by comparing, and counted`() throws {
    let folder = try CrampedFolder()
    try folder.folder.write("2", to: "a")
    try folder.folder.write("2", to: "conf/d")
    repeat {
      while folder.opened.notifier?.inotify.takeEvents().isEmpty == false {}
    } while hasEvents(folder.watcher)
    #expect(folder.watcher.process(at: folder.now) == .rest)
    let due = folder.now + .seconds(1)
    #expect(folder.watcher.compare(at: folder.now) == .wait(until: due))
    #expect(folder.watcher.missedByInotify == 2)
    #expect(folder.watcher.process(at: due) == .look(["a", "conf/d"].map(folder.folder.path)))
  }

  @Test(arguments: (0..<32).map { UInt32(1) << $0 })
  func `an event of any kind leads to a look`(mask: UInt32) throws {
    let folder = try TemporaryDirectory()
    try folder.write("1", to: "a")
    let notifier = try ForgingNotifier()
    let watcher = Watcher { notifier }
    watcher.watch([.file(folder.path("a"))], at: .now)
    try folder.write("2", to: "a")
    notifier.forged = InotifyEvent(
      watch: notifier.watch(ofDirectory: folder.path), mask: mask, name: "a")
    let start = Moment.now
    var decision = watcher.process(at: start)
    if case .wait(let until) = decision {
      #expect(until <= start + .seconds(1))
      decision = watcher.process(at: until)
    }
    #expect(decision == .look([folder.path("a")]))
  }
}

/// A notifier that tells one made-up event in place of what happened.
private final class ForgingNotifier: Notifier {
  let inotify: Inotify
  var forged: InotifyEvent?
  private var watches: [String: CInt] = [:]

  init() throws(SystemError) { inotify = try Inotify() }

  var descriptor: CInt { inotify.descriptor }

  func watch(ofDirectory path: String) -> CInt { watches[path] ?? 0 }

  func add(_ path: String, _ mask: UInt32) throws(SystemError) -> CInt {
    let watch = try inotify.add(path, mask)
    watches[path] = watch
    return watch
  }

  func remove(_ watch: CInt) { inotify.remove(watch) }

  func takeEvents() -> [InotifyEvent] {
    defer { forged = nil }
    return forged.map { [$0] } ?? []
  }
}
