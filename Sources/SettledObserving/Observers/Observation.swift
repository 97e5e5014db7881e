/// What an observer reads and whom it tells.
@usableFromInline
struct Observation<Value> {
  /// Computes the value; what it reads is observed.
  @usableFromInline var value: @ObservingActor () throws -> Value
  /// Whether a new value is no news.
  @usableFromInline var isSame: @ObservingActor (Value, Value) -> Bool
  /// Called with the former value, nil for the first, and the new one.
  @usableFromInline var didChange: @ObservingActor (Value?, Value) -> Void

  @inlinable
  init(
    value: @escaping @ObservingActor () throws -> Value,
    isSame: @escaping @ObservingActor (Value, Value) -> Bool,
    didChange: @escaping @ObservingActor (Value?, Value) -> Void
  ) {
    self.value = value
    self.isSame = isSame
    self.didChange = didChange
  }
}

/// When an observer runs, apart from the value.
@usableFromInline
struct ObservationOptions {
  /// Whether the first value is told.
  var tellsInitial: Bool
  /// Whether the observer is still wanted; asked before each look at the value.
  var isWanted: (@ObservingActor () -> Bool)?
  /// Called before the first change that may make a difference.
  var willChange: (@ObservingActor () -> Void)?
  /// Called with what computing the value throws.
  var onError: (@ObservingActor (any Error) -> Void)?

  @usableFromInline
  init(
    tellsInitial: Bool = true,
    isWanted: (@ObservingActor () -> Bool)? = nil,
    willChange: (@ObservingActor () -> Void)? = nil,
    onError: (@ObservingActor (any Error) -> Void)? = nil
  ) {
    self.tellsInitial = tellsInitial
    self.isWanted = isWanted
    self.willChange = willChange
    self.onError = onError
  }
}
