import Glibc
import SettledInputs
import TestSupport
import Testing

/// A folder, a watcher over inputs in it, and a clock that goes on only when the watcher waits.
///
/// The kernel queues an event before the call that causes it returns, so nothing here waits for
/// real time.
final class WatchedFolder {
  /// One look that the watcher asked for.
  struct Look: Equatable {
    /// What moved, relative to the folder.
    var moved: [String]
    /// The virtual time that passed since the last call of `looks`.
    var after: Duration
  }

  let folder: TemporaryDirectory
  let watcher: Watcher
  private(set) var now = Moment(nanoseconds: 0)

  /// Creates a folder, with `layout` run in it before the watch begins.
  init(_ inputs: [String], layout: String = "", waits: WatchSchedule.Waits = .init()) throws {
    folder = try TemporaryDirectory()
    watcher = Watcher(waits: waits)
    try run(layout)
    watch(inputs)
  }

  /// Watches other inputs: paths relative to the folder, with wildcards or without.
  func watch(_ inputs: [String]) {
    watcher.watch(inputs.map { input(folder.path($0)) }, at: now)
  }

  /// Runs commands of the shell in the folder, with `$OLD` and `$NEW` to write.
  func run(_ script: String) throws {
    try runShell("OLD='value: old'; NEW='value: new'; " + script, in: folder.path)
  }

  /// The looks that are asked for now, without waiting.
  func looksAtOnce() -> [Look] {
    guard case .look(let moved) = watcher.process(at: now) else { return [] }
    return [look(moved, since: now)]
  }

  /// The looks that are asked for until there is nothing to wait for.
  func looks() -> [Look] {
    var looks: [Look] = []
    let start = now
    while true {
      switch watcher.process(at: now) {
      case .look(let moved): looks.append(look(moved, since: start))
      case .wait(let until): if !hasEvents(watcher) { now = until }
      case .rest: return looks
      }
    }
  }

  /// Lets time pass.
  func advance(by duration: Duration) {
    now = now + duration
  }

  private func look(_ moved: [String], since start: Moment) -> Look {
    let prefix = folder.path + "/"
    let names = moved.map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 }
    return Look(moved: names, after: now - start)
  }
}

/// The input that a path stands for.
func input(_ path: String) -> WatchedInput {
  Glob(path).map(WatchedInput.glob) ?? .file(path)
}

/// Tells whether the kernel has something to tell, or soon has: a program that another test starts
/// holds a copy of every descriptor for an instant, and a file is closed with the last of them.
func hasEvents(_ watcher: Watcher) -> Bool {
  guard let descriptor = watcher.descriptor else { return false }
  var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&source, 1, 50) > 0
}
