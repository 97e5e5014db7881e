/// Calls `didChange` with the value of a closure now and whenever it differs.
///
/// What the closure reads is observed; it is called again after a change of that, once for each
/// transaction or section. The handler sees the state after the whole transaction. It may change
/// models: that makes a following round. An observer whose handler keeps making itself run is
/// stopped for that change with an error.
///
/// ```swift
/// let token = observe({ app.perWorker }) { old, new in pool.resize(to: new) }
/// ```
///
/// - Parameters:
///   - value: computes the value, without changing anything that is observed.
///   - name: what the observation is called in errors; the calling function, if left out.
///   - initial: whether the first value is told, with nil as the old one. Inside a transaction
///     that happens at its end.
///   - isSame: whether a new value is no news.
///   - willChange: called before the first change of a transaction or section that may make a
///     difference, when everything still has its old value.
///   - onError: called with what `value` throws, and with an `ObservingError`; if left out, that
///     goes to ``ObservingActor/onUnhandledError``.
///   - didChange: called with the former value and the new one.
/// - Returns: the token that keeps the observation going.
@inlinable
@ObservingActor
public func observe<Value>(
  _ value: @escaping @ObservingActor () throws -> Value,
  named name: String = #function,
  initial: Bool = true,
  isSame: @escaping @ObservingActor (Value, Value) -> Bool,
  willChange: (@ObservingActor () -> Void)? = nil,
  onError: (@ObservingActor (any Error) -> Void)? = nil,
  didChange: @escaping @ObservingActor (_ old: Value?, _ new: Value) -> Void
) -> ObservationToken {
  let observer = ValueObserver(
    name: name,
    ObservationOptions(tellsInitial: initial, willChange: willChange, onError: onError),
    Observation(value: value, isSame: isSame, didChange: didChange))
  observer.start()
  return ObservationToken(observer)
}

/// Calls `didChange` with the value of a closure now and whenever it differs by `==`.
///
/// See the form with `isSame`.
///
/// - Parameters:
///   - value: computes the value, without changing anything that is observed.
///   - name: what the observation is called in errors; the calling function, if left out.
///   - initial: whether the first value is told, with nil as the old one.
///   - willChange: called before the first change that may make a difference.
///   - onError: called with what `value` throws, and with an `ObservingError`.
///   - didChange: called with the former value and the new one.
/// - Returns: the token that keeps the observation going.
@inlinable
@ObservingActor
public func observe<Value: Equatable>(
  _ value: @escaping @ObservingActor () throws -> Value,
  named name: String = #function,
  initial: Bool = true,
  willChange: (@ObservingActor () -> Void)? = nil,
  onError: (@ObservingActor (any Error) -> Void)? = nil,
  didChange: @escaping @ObservingActor (_ old: Value?, _ new: Value) -> Void
) -> ObservationToken {
  observe(
    value, named: name, initial: initial, isSame: { $0 == $1 }, willChange: willChange,
    onError: onError, didChange: didChange)
}
