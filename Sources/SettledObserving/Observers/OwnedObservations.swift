/// Calls `didChange` with the value of a closure for as long as a token closure returns something.
///
/// The token closure is asked after each change, before anything else; at nil the observation
/// ends. Nothing has to be kept. See the form that returns a token for the other parameters.
///
/// ```swift
/// observe({ app.title }, token: { [weak window] in window }) { _, new in ... }
/// ```
///
/// - Parameters:
///   - value: computes the value, without changing anything that is observed.
///   - token: returns nil when the observation is no longer wanted.
///   - name: what the observation is called in errors; the calling function, if left out.
///   - initial: whether the first value is told, with nil as the old one.
///   - willChange: called before the first change that may make a difference.
///   - onError: called with what `value` throws, and with an `ObservingError`.
///   - didChange: called with the former value and the new one.
@inlinable
@ObservingActor
public func observe<Value: Equatable, Token>(
  _ value: @escaping @ObservingActor () throws -> Value,
  token: @escaping @ObservingActor () -> Token?,
  named name: String = #function,
  initial: Bool = true,
  willChange: (@ObservingActor () -> Void)? = nil,
  onError: (@ObservingActor (any Error) -> Void)? = nil,
  didChange: @escaping @ObservingActor (_ old: Value?, _ new: Value) -> Void
) {
  Graph.hold(
    ValueObserver(
      name: name,
      ObservationOptions(
        tellsInitial: initial, isWanted: { token() != nil }, willChange: willChange,
        onError: onError),
      Observation(value: value, isSame: { $0 == $1 }, didChange: didChange)))
}

/// Calls `didChange` with a value of `owner` for as long as the owner lives.
///
/// The owner is not kept. The observation ends at the first change after it is gone; if it is a
/// model, when it goes.
///
/// - Parameters:
///   - owner: the object to which the observation belongs.
///   - value: computes the value, without changing anything that is observed.
///   - name: what the observation is called in errors; the calling function, if left out.
///   - initial: whether the first value is told.
///   - onError: called with what `value` throws, and with an `ObservingError`.
///   - didChange: called with the owner and the new value.
@inlinable
@ObservingActor
public func observe<Owner: AnyObject, Value: Equatable>(
  of owner: Owner,
  _ value: @escaping @ObservingActor (Owner) throws -> Value,
  named name: String = #function,
  initial: Bool = true,
  onError: (@ObservingActor (any Error) -> Void)? = nil,
  didChange: @escaping @ObservingActor (Owner, _ new: Value) -> Void
) {
  observe(
    { [weak owner] in try owner.map(value) }, token: { [weak owner] in owner }, named: name,
    initial: initial, onError: onError
  ) { [weak owner] _, new in
    if let owner, let new { didChange(owner, new) }
  }
}

/// Calls `body` now and again after each change of what it read.
///
/// `body` reads and acts in one; it must not change anything that is observed.
///
/// - Parameters:
///   - name: what the observation is called in errors; the calling function, if left out.
///   - onError: called with what `body` throws, and with an `ObservingError`.
///   - body: what is called.
/// - Returns: the token that keeps the observation going.
@inlinable
@ObservingActor
public func observe(
  named name: String = #function,
  onError: (@ObservingActor (any Error) -> Void)? = nil,
  rerun body: @escaping @ObservingActor () throws -> Void
) -> ObservationToken {
  observe(body, named: name, isSame: { _, _ in false }, onError: onError) { _, _ in }
}

/// Calls `body` now and again after each change of what it read, for as long as `owner` lives.
///
/// - Parameters:
///   - owner: the object to which the observation belongs; it is not kept.
///   - name: what the observation is called in errors; the calling function, if left out.
///   - onError: called with what `body` throws, and with an `ObservingError`.
///   - body: what is called, with the owner.
@inlinable
@ObservingActor
public func observe<Owner: AnyObject>(
  of owner: Owner,
  named name: String = #function,
  onError: (@ObservingActor (any Error) -> Void)? = nil,
  rerun body: @escaping @ObservingActor (Owner) throws -> Void
) {
  Graph.hold(
    ValueObserver(
      name: name,
      ObservationOptions(isWanted: { [weak owner] in owner != nil }, onError: onError),
      Observation(
        value: { [weak owner] in
          if let owner { try body(owner) }
        }, isSame: { _, _ in false }, didChange: { _, _ in })))
}
