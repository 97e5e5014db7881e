/// The observer of an ``Observation``.
@ObservingActor
final class ValueObserver<Value>: Observer {
  /// Nil when cancelled.
  private var observation: Observation<Value>?
  private var latest: Result<Value, any Error>?
  /// The good value before the latest.
  private var former: Value?
  /// Whether the latest has not been told.
  private var isNews = false
  private var isAnnouncing = false

  init(name: String, _ observation: Observation<Value>) {
    self.observation = observation
    super.init(name: name)
    if observation.willChange != nil { Graph.willChangeObservers += 1 }
  }

  isolated deinit { dispose() }

  /// Looks at the value for the first time, or has it looked at when the open transaction ends.
  func start() {
    guard !Graph.isInTransaction && Graph.running.isEmpty else { return Graph.enlist(self) }
    if isDue() { notify() }
  }

  override func isDue() -> Bool {
    guard !isCancelled, let observation else { return false }
    if let isWanted = observation.isWanted, !isWanted() {
      dispose()
      return false
    }
    refresh()
    return isNews
  }

  override func evaluate() {
    guard let observation else { return }
    let new =
      derive(observation.value)
      ?? .failure(ObservingError.tooDeep(name: name, limit: Graph.depthLimit))
    if self.observation == nil { return dropSources() }
    isNews = latest.map { !$0.isSame(as: new, by: observation.isSame) } ?? observation.tellsInitial
    if case .success(let value) = latest { former = value }
    latest = new
  }

  override func notify() {
    guard !isCancelled, let observation, let latest else { return }
    isNews = false
    switch latest {
    case .success(let value): observation.didChange(former, value)
    case .failure(let error): report(error)
    }
  }

  override func announce() {
    guard !isCancelled, !isAnnouncing else { return }
    isAnnouncing = true
    observation?.willChange?()
    isAnnouncing = false
  }

  override func skip() {
    _ = isDue()
    isNews = false
  }

  override func dispose() {
    cancel()
    guard let observation else { return }
    self.observation = nil
    if observation.willChange != nil { Graph.willChangeObservers -= 1 }
    if state != .running { dropSources() }
    Graph.bury(observation)
    Graph.release(self)
  }

  override func report(_ error: any Error) {
    (observation?.onError ?? { ObservingActor.onUnhandledError($0, self.name) })(error)
  }
}
