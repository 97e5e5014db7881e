import Synchronization

/// A derivation that nobody reads: it runs a handler when its value differs.
@ObservingActor
class Observer: Derivation {
  private static var count = 0

  /// Observers run in the order in which they were made.
  let number: Int
  private nonisolated let cancelled = Atomic(false)

  override init(name: String) {
    Self.count += 1
    number = Self.count
    super.init(name: name)
  }

  /// Whether it was cancelled, on any thread; then no handler starts.
  nonisolated final var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  /// Cancels, and says whether it was not.
  @discardableResult
  nonisolated final func cancel() -> Bool { !cancelled.exchange(true, ordering: .relaxed) }

  final override func enlist() { Graph.enlist(self) }

  /// Brings the value up to date and says whether there is something to tell.
  func isDue() -> Bool { false }

  /// Tells what `isDue` found.
  func notify() {}

  /// Runs the willChange handler.
  func announce() {}

  /// Brings the value up to date and tells nothing.
  func skip() {}

  /// Tells an error.
  func report(_ error: any Error) {}

  /// Gives up sources and handlers, if it has not yet.
  func dispose() {}
}
