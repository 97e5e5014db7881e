import Synchronization

/// A derivation that nobody reads: it runs a handler when its value differs.
@usableFromInline
@ObservingActor
class Observer: Derivation {
  private static var count = 0

  /// Observers run in the order in which they were made.
  let number: Int
  /// Tells the latest value.
  @usableFromInline final var tell: (@ObservingActor () -> Void)?
  private var options: ObservationOptions
  /// What was thrown instead of a value.
  private var error: (any Error)?
  /// Whether there is something that was not told.
  private var isNews = false
  private var isAnnouncing = false
  private nonisolated let cancelled = Atomic(false)

  @usableFromInline
  init(name: String, _ options: ObservationOptions) {
    Self.count += 1
    number = Self.count
    self.options = options
    super.init(name: name)
    if options.willChange != nil { Graph.willChangeObservers += 1 }
  }

  isolated deinit { dispose() }

  /// Whether it was cancelled, on any thread; then no handler starts.
  nonisolated final var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  /// Cancels, and says whether it was not.
  @discardableResult
  nonisolated final func cancel() -> Bool { !cancelled.exchange(true, ordering: .relaxed) }

  final override func enlist() { Graph.enlist(self) }

  /// Looks at the value for the first time, or has it looked at when the open transaction ends.
  @usableFromInline
  final func start() {
    guard !Graph.isInTransaction && !Graph.isDeriving else { return Graph.enlist(self) }
    if isDue() { notify() }
  }

  /// Brings the value up to date and says whether there is something to tell.
  final func isDue() -> Bool {
    guard !isCancelled else { return false }
    if let isWanted = options.isWanted, !isWanted() {
      dispose()
      return false
    }
    refresh()
    return isNews
  }

  /// Tells what `isDue` found.
  final func notify() {
    guard !isCancelled else { return }
    isNews = false
    if let error { report(error) } else { tell?() }
  }

  /// Notes that the evaluation threw.
  @usableFromInline
  final func note(_ new: any Error) {
    if wasDisposed() { return }
    isNews = error.map { !areEqual($0, new) } ?? true
    error = new
  }

  /// Notes that the evaluation gave a value.
  @usableFromInline
  final func noteValue(isSame: Bool, isFirst: Bool) {
    if wasDisposed() { return }
    isNews = error != nil || (isFirst ? options.tellsInitial : !isSame)
    error = nil
  }

  /// Runs the willChange handler.
  final func announce() {
    guard !isCancelled, !isAnnouncing else { return }
    isAnnouncing = true
    options.willChange?()
    isAnnouncing = false
  }

  /// Brings the value up to date and tells nothing.
  final func skip() {
    _ = isDue()
    isNews = false
  }

  /// Tells an error.
  final func report(_ error: any Error) {
    if let onError = options.onError { onError(error) } else { reportUnhandled(error) }
  }

  /// Gives up sources and handlers, if it has not yet.
  final func dispose() {
    cancel()
    guard let compute else { return }
    Graph.bury((compute, tell, options))
    if options.willChange != nil { Graph.willChangeObservers -= 1 }
    self.compute = nil
    tell = nil
    options = ObservationOptions()
    if state != .running { dropSources() }
    Graph.release(self)
  }

  /// Gives up the sources of an evaluation in which the observer was disposed of.
  private func wasDisposed() -> Bool {
    if compute == nil { dropSources() }
    return compute == nil
  }
}
