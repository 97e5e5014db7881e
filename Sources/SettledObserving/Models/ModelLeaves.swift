/// The leaves of one model: a node for each property that a memo or an observer read.
///
/// What the macro's code calls is not isolated; it checks that it is on the actor. It returns the
/// registrar for stock observers where there may be some.
@usableFromInline
@ObservingActor
final class ModelLeaves {
  /// There from the first read by a stock observer, or by nobody.
  private var stock: StockRegistrar?
  private var entries: [(keyPath: AnyKeyPath, leaf: Node)] = []

  nonisolated init() {}

  isolated deinit {
    if !entries.isEmpty { Graph.abandon(entries.lazy.map(\.leaf)) }
  }

  @usableFromInline
  nonisolated func read(_ keyPath: AnyKeyPath) -> StockRegistrar? {
    ObservingActor.check()
    return ObservingActor.assume((self, keyPath)) { leaves, keyPath in
      if let reader = Graph.reader {
        reader.record(leaves.leaf(for: keyPath))
        return nil
      }
      return Graph.isDeriving ? nil : leaves.stockRegistrar()
    }
  }

  @usableFromInline
  nonisolated func willChange(_ keyPath: AnyKeyPath) -> StockRegistrar? {
    ObservingActor.check()
    return ObservingActor.assume((self, keyPath)) { leaves, keyPath in
      if Graph.willChangeObservers > 0 { leaves.knownLeaf(for: keyPath)?.willChange() }
      return leaves.stock
    }
  }

  @usableFromInline
  nonisolated func changed(_ keyPath: AnyKeyPath) -> StockRegistrar? {
    ObservingActor.check()
    return ObservingActor.assume((self, keyPath)) { leaves, keyPath in
      leaves.knownLeaf(for: keyPath)?.changed()
      return leaves.stock
    }
  }

  private func stockRegistrar() -> StockRegistrar {
    if let stock { return stock }
    let registrar = StockRegistrar()
    stock = registrar
    return registrar
  }

  private func leaf(for keyPath: AnyKeyPath) -> Node {
    if let leaf = knownLeaf(for: keyPath) { return leaf }
    let leaf = Node()
    entries.append((keyPath, leaf))
    return leaf
  }

  /// The leaf of a property that was read.
  ///
  /// A key path that is written out is one object wherever it is used; comparing as objects first
  /// saves comparing what they contain.
  private func knownLeaf(for keyPath: AnyKeyPath) -> Node? {
    for entry in entries where entry.keyPath === keyPath { return entry.leaf }
    for entry in entries where entry.keyPath == keyPath { return entry.leaf }
    return nil
  }
}
