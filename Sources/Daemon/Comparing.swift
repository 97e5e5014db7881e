import Generations
import SettledInputs
import SettledSystemd

/// How the daemon looks after what the kernel does not tell.
extension Daemon {
  /// The time between two looks while there is no inotify, where `poll` allows so much.
  private static let blindInterval = Duration.seconds(1)

  /// Compares the inputs now and then, in case the kernel told nothing; the watchdog's wake-up is
  /// used for it where that comes first.
  func scheduleComparison() {
    let interval = min(watchdog.map { $0 / 2 } ?? poll, poll)
    comparison = loop.schedule(after: interval) { [unowned self] in
      notifier.send(.watchdog)
      look(watcher.compare(at: loop.now))
      scheduleComparison()
    }
  }

  /// Compares the inputs so often from now on.
  func compare(every interval: Duration) {
    guard interval != poll else { return }
    poll = interval
    watcher.pollInterval = min(Self.blindInterval, interval)
    if let comparison { loop.cancel(comparison) }
    notifier.send(.watchdog)
    scheduleComparison()
  }

  /// Tells when the kernel does not tell all changes any more, and when it does again.
  func noteHealth() {
    let reason: String? = if case .polling(let reason) = watcher.health { reason } else { nil }
    guard reason != board.unwatched else { return }
    if (reason == nil) != (board.unwatched == nil) { log.watching(reason) }
    board.unwatched = reason
    notifier.send(.status(board.summary))
    announceState()
  }
}
