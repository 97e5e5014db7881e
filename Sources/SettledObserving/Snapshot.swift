/// The latest value of a closure, to be read from anywhere without waiting for the actor.
///
/// It is published at the end of each transaction or section, so that it is never half of one, and
/// as long as the snapshot is held.
public final class Snapshot<Value: Sendable>: Sendable {
  private let published: Locked<Value>
  private let token: ObservationToken

  /// Publishes `value` from now on.
  ///
  /// Made inside a transaction, it has the state of that moment until the transaction ends.
  ///
  /// - Parameters:
  ///   - value: computes the value, without changing anything that is observed.
  ///   - name: what the observation is called in errors; the calling function, if left out.
  ///   - onError: called with what `value` throws later on; the last good value stays published.
  /// - Throws: what the first call of `value` throws.
  @ObservingActor
  public init(
    _ value: @escaping @ObservingActor () throws -> Value, named name: String = #function,
    onError: (@ObservingActor (any Error) -> Void)? = nil
  ) rethrows {
    let published = Locked(try untracked(value))
    self.published = published
    token = observe(value, named: name, isSame: { _, _ in false }, onError: onError) {
      published.withLock { [new = $1] in $0 = new }
    }
  }

  /// The value after the last transaction.
  public var value: Value { published.withLock { $0 } }
}
