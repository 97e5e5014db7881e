/// A derived value that is kept until something it read changes.
///
/// It is evaluated when it is read, at most once for each change, and only if what the last
/// evaluation read is different. Where the outcome equals the former one, what reads the memo is
/// not evaluated. A memo is kept by those who hold it and by the memos and observers that read it.
///
/// `Memo("name") { ... }` may throw: its `value` throws, and an error is a value until an input
/// changes. `Memo("name", fallback: x) { ... }` may not, and its `value` never does: where there is
/// no outcome, as the memo needs its own value, it is the fallback, and the error goes to
/// ``ObservingActor/onUnhandledError``.
///
/// ```swift
/// @Observable final class App: Model {
///   @ObservationIgnored let _$observationRegistrar = Tracking()
///   var connections = 10
///   var workers = 2
///   @ObservationIgnored private lazy var perWorkerMemo = Memo(fallback: 1) { [unowned self] in
///     connections / max(1, workers)
///   }
///   var perWorker: Int { perWorkerMemo.value }
/// }
/// ```
@ObservingActor
public struct Memo<Value, Failure: Error> {
  @usableFromInline let node: MemoNode<Value>
  /// What stands for an error.
  @usableFromInline let recover: @ObservingActor (any Error) -> Result<Value, Failure>

  /// Whether memos or observers that are alive have read it.
  public var isObserved: Bool { !node.readers.isEmpty }
}

extension Memo where Failure == any Error {
  /// Creates a memo of what `compute` returns or throws.
  ///
  /// - Parameters:
  ///   - name: what it is called in errors; the property it stands in, if left out.
  ///   - isSame: whether a new value makes no difference to those who read it.
  ///   - compute: the computation, which must not change anything that is observed.
  @inlinable
  public init(
    _ name: String = #function,
    isSame: @escaping @ObservingActor (Value, Value) -> Bool,
    _ compute: @escaping @ObservingActor () throws -> Value
  ) {
    node = MemoNode(name: name, reportsErrors: false, isSame: isSame, compute: compute)
    recover = { .failure($0) }
  }

  /// Creates a memo of what `compute` returns or throws.
  ///
  /// - Parameters:
  ///   - name: what it is called in errors; the property it stands in, if left out.
  ///   - compute: the computation, which must not change anything that is observed.
  @inlinable
  public init(
    _ name: String = #function, _ compute: @escaping @ObservingActor () throws -> Value
  ) where Value: Equatable {
    self.init(name, isSame: { $0 == $1 }, compute)
  }

  // Two accessors instead of one that `throws(Failure)`: that one crashes the 6.3.1 compiler.

  /// The value, computed if it has to be; throws what `compute` threw, or an ``ObservingError``.
  @inlinable
  public var value: Value {
    get throws { try node.pull().get() }
  }
}

extension Memo where Failure == Never {
  /// Creates a memo of what `compute` returns.
  ///
  /// - Parameters:
  ///   - name: what it is called in errors; the property it stands in, if left out.
  ///   - fallback: the value where the memo needs its own value or is nested too deep.
  ///   - isSame: whether a new value makes no difference to those who read it.
  ///   - compute: the computation, which must not change anything that is observed.
  @inlinable
  public init(
    _ name: String = #function,
    fallback: Value,
    isSame: @escaping @ObservingActor (Value, Value) -> Bool,
    _ compute: @escaping @ObservingActor () -> Value
  ) {
    node = MemoNode(name: name, reportsErrors: true, isSame: isSame, compute: compute)
    recover = { _ in .success(fallback) }
  }

  /// Creates a memo of what `compute` returns.
  ///
  /// - Parameters:
  ///   - name: what it is called in errors; the property it stands in, if left out.
  ///   - fallback: the value where the memo needs its own value or is nested too deep.
  ///   - compute: the computation, which must not change anything that is observed.
  @inlinable
  public init(
    _ name: String = #function, fallback: Value,
    _ compute: @escaping @ObservingActor () -> Value
  ) where Value: Equatable {
    self.init(name, fallback: fallback, isSame: { $0 == $1 }, compute)
  }

  /// The value, computed if it has to be; the fallback where there is none.
  @inlinable
  public var value: Value {
    switch node.pull() {
    case .success(let value): value
    case .failure(let error): recover(error).get()
    }
  }
}
