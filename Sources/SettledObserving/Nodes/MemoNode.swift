/// The node of a ``Memo``.
@usableFromInline
@ObservingActor
final class MemoNode<Value>: Derivation {
  @usableFromInline var outcome: Result<Value, any Error> = .failure(Unevaluated())
  /// The lists that it is in.
  var listings: [Listing] = []

  @inlinable
  init(
    name: String,
    reportsErrors: Bool,
    isSame: @escaping @ObservingActor (Value, Value) -> Bool,
    compute: @escaping @ObservingActor () throws -> Value
  ) {
    super.init(name: name)
    self.compute = { [unowned self] in
      update(compute, isSame)
      if reportsErrors, case .failure(let error) = outcome { reportUnhandled(error) }
    }
  }

  override func enlist() {
    for listing in listings { listing.marked.note(listing.place) }
  }

  /// The outcome that holds now, as a read.
  @inlinable
  func pull() -> Result<Value, any Error> {
    if let error = prepareRead() { return .failure(error) }
    return outcome
  }

  @inlinable
  func update(
    _ compute: @ObservingActor () throws -> Value,
    _ isSame: @ObservingActor (Value, Value) -> Bool
  ) {
    var new: Result<Value, any Error> = .failure(Unevaluated())
    if let fault = derive({ new = Result(catching: compute) }) { new = .failure(fault) }
    if Graph.untracked({ outcome.isSame(as: new, by: isSame) }) { return }
    outcome = new
    announceNewValue()
  }
}

/// Stands for an outcome before there is one.
@usableFromInline
struct Unevaluated: Error {
  @inlinable init() {}
}

extension Result where Failure == any Error {
  /// Whether `other` is no news: an equal value by `isSame`, or an equal error.
  @inlinable
  @ObservingActor
  func isSame(
    as other: Self, by isSame: @ObservingActor (Success, Success) -> Bool
  ) -> Bool {
    switch (self, other) {
    case (.success(let value), .success(let otherValue)): isSame(value, otherValue)
    case (.failure(let error), .failure(let otherError)): areEqual(error, otherError)
    case (.success, .failure), (.failure, .success): false
    }
  }
}

/// Whether two errors are of one type and equal.
@usableFromInline
func areEqual(_ error: any Error, _ other: any Error) -> Bool {
  (error as? any Equatable)?.isEqual(to: other) ?? false
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { other as? Self == self }
}
