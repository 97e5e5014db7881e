/// What an observer reads and whom it tells.
struct Observation<Value> {
  /// Computes the value; what it reads is observed.
  var value: @ObservingActor () throws -> Value
  /// Whether a new value is no news.
  var isSame: @ObservingActor (Value, Value) -> Bool
  /// Whether the first value is told.
  var tellsInitial = true
  /// Whether the observer is still wanted; asked before each look at the value.
  var isWanted: (@ObservingActor () -> Bool)?
  /// Called before the first change that may make a difference.
  var willChange: (@ObservingActor () -> Void)?
  /// Called with what `value` throws.
  var onError: (@ObservingActor (any Error) -> Void)?
  /// Called with the former value, nil for the first, and the new one.
  var didChange: @ObservingActor (Value?, Value) -> Void
}
