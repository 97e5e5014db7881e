/// Keeps an observation going; dropping it ends the observation.
///
/// It may be dropped and cancelled anywhere. No handler starts afterwards; done on the actor, none
/// is running either.
public final class ObservationToken: Sendable {
  private let observer: Observer

  @usableFromInline
  init(_ observer: Observer) {
    self.observer = observer
  }

  deinit { cancel() }

  /// Ends the observation, if it has not ended.
  public func cancel() {
    guard observer.cancel() else { return }
    ObservingActor.perform { [observer] in observer.dispose() }
  }

  /// Whether the observation has ended.
  public var isCancelled: Bool { observer.isCancelled }
}
