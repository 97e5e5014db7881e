extension Graph {
  /// Derivations whose readers are to be marked.
  private static var unmarked: [Derivation] = []
  /// Memos that stock observers read and that were marked.
  private static var stockSources: [Node] = []

  /// Marks all that is downstream of a leaf that changed, and enlists the observers among it.
  ///
  /// No users' code runs before everything is marked. What is marked already is not visited again,
  /// so that many changes cost as much as what they reach.
  static func mark(readersOf leaf: Node) {
    for reader in leaf.readers { mark(reader.derivation, as: .stale) }
    markDownstream()
  }

  /// Marks `derivation`, which reads something that is not a node and changed, and its downstream.
  static func mark(_ derivation: Derivation) {
    mark(derivation, as: .stale)
    markDownstream()
  }

  private static func markDownstream() {
    while let derivation = unmarked.popLast() {
      for reader in derivation.readers { mark(reader.derivation, as: .suspect) }
    }
    guard !stockSources.isEmpty else { return }
    let sources = stockSources
    stockSources = []
    for source in sources { source.announceToStockObservers() }
  }

  private static func mark(_ derivation: Derivation, as state: Derivation.State) {
    switch derivation.state {
    case .clean:
      derivation.state = state
      derivation.enlist()
      if !derivation.readers.isEmpty { unmarked.append(derivation) }
      if derivation.hasStockReaders { stockSources.append(derivation) }
    case .suspect where state == .stale: derivation.state = .stale
    case .suspect, .stale, .running: break
    }
  }

  /// Runs the willChange handlers of the observers that depend on `node` and are not marked yet.
  static func announceChange(of node: Node) {
    var observers: [Observer] = []
    var visited: Set<ObjectIdentifier> = []
    var stack = [node]
    while let node = stack.popLast() {
      let isMarked = node.asDerivation.map { $0.state != .clean } ?? false
      guard !isMarked, visited.insert(ObjectIdentifier(node)).inserted else { continue }
      stack += node.readers.map(\.derivation)
      if let observer = node as? Observer { observers.append(observer) }
    }
    for observer in observers.sorted(by: { $0.number < $1.number }) { observer.announce() }
  }
}
