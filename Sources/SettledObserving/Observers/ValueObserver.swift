/// The observer of an ``Observation``.
@usableFromInline
@ObservingActor
final class ValueObserver<Value>: Observer {
  @usableFromInline var latest: Value?
  /// The good value before the latest.
  @usableFromInline var former: Value?

  @inlinable
  init(name: String, _ options: ObservationOptions, _ observation: Observation<Value>) {
    super.init(name: name, options)
    compute = { [unowned self] in look(observation) }
    tell = { [unowned self] in
      if let latest { observation.didChange(former, latest) }
    }
  }

  /// Evaluates and finds out whether there is news.
  @inlinable
  func look(_ observation: Observation<Value>) {
    var new: Value?
    var thrown: (any Error)?
    let fault = derive {
      do { new = try observation.value() } catch { thrown = error }
    }
    if let error = fault ?? thrown { return note(error) }
    guard let new else { return }
    let isSame = latest.map { latest in Graph.untracked { observation.isSame(latest, new) } }
    noteValue(isSame: isSame ?? false, isFirst: latest == nil)
    former = latest
    latest = new
  }
}
