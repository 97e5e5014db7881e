/// The node of a ``Memo``.
@ObservingActor
final class MemoNode<Value>: Derivation {
  private let reportsErrors: Bool
  private let isSame: @ObservingActor (Value, Value) -> Bool
  private let compute: @ObservingActor () throws -> Value
  private var outcome: Result<Value, any Error>?
  private var isTooDeep = false

  init(
    name: String,
    reportsErrors: Bool,
    isSame: @escaping @ObservingActor (Value, Value) -> Bool,
    compute: @escaping @ObservingActor () throws -> Value
  ) {
    self.reportsErrors = reportsErrors
    self.isSame = isSame
    self.compute = compute
    super.init(name: name)
  }

  isolated deinit { Graph.bury(compute) }

  /// The outcome that holds now, as a read.
  func pull() -> Result<Value, any Error> {
    guard state != .running else {
      let error = Graph.cycle(through: self)
      read()
      return .failure(error)
    }
    refresh()
    read()
    guard !isTooDeep, let outcome else {
      return .failure(ObservingError.tooDeep(name: name, limit: Graph.depthLimit))
    }
    return outcome
  }

  override func evaluate() {
    let new = derive(compute)
    isTooDeep = new == nil
    guard let new else { return state = .stale }
    if let outcome, Graph.untracked({ outcome.isSame(as: new, by: isSame) }) { return }
    outcome = new
    version += 1
    if reportsErrors, case .failure(let error) = new {
      ObservingActor.onUnhandledError(error, name)
    }
  }
}

extension Result where Failure == any Error {
  /// Whether `other` is no news: an equal value by `isSame`, or an equal error.
  @ObservingActor
  func isSame(
    as other: Self, by isSame: @ObservingActor (Success, Success) -> Bool
  ) -> Bool {
    switch (self, other) {
    case (.success(let value), .success(let otherValue)): isSame(value, otherValue)
    case (.failure(let error as any Equatable), .failure(let otherError)):
      error.isEqual(to: otherError)
    case (.success, .failure), (.failure, .success), (.failure, .failure): false
    }
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { other as? Self == self }
}
