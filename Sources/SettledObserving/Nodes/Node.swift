public import Observation

/// Something that is read and changes: a leaf by itself, the base of what is derived.
///
/// Edges are kept twice, as indices into each other's arrays, so that one goes in constant time:
/// down to the readers unowned, up to the sources strongly. A node with readers is therefore held
/// by them, and a leaf may be released on any thread: then it has none.
@usableFromInline
@ObservingActor
class Node: Observable {
  /// A derivation that read this node in its last evaluation, and where in its `sources`.
  struct Reader {
    unowned(unsafe) let derivation: Derivation
    var place: Int
  }

  /// Grows with each change; never goes back.
  var version = 0
  /// The evaluation that read this node last, so that it is not recorded twice.
  var lastReading = 0
  var readers: [Reader] = []
  /// Tells stock observers; there from the first read by one that may be.
  private var stock: StockRegistrar?

  init() {}

  /// This node where it is derived.
  var asDerivation: Derivation? { nil }

  /// Records a read: by the derivation in progress, or else by a stock observer.
  final func read() {
    if let reader = Graph.reader {
      reader.record(self)
    } else if !Graph.isDeriving {
      readByStockObserver()
    }
  }

  /// Lets stock observers know that they read this node.
  final func readByStockObserver() {
    let known = stock ?? StockRegistrar()
    if stock == nil { stock = known }
    known.registrar.access(self, keyPath: \Node.version)
  }

  /// Whether someone read this node through the stock registrar.
  final var hasStockReaders: Bool { stock != nil }

  /// Tells stock observers of a change.
  final func announceToStockObservers() {
    stock?.registrar.willSet(self, keyPath: \Node.version)
    stock?.registrar.didSet(self, keyPath: \Node.version)
  }

  /// Runs the willChange handlers downstream of a leaf that is about to change.
  final func willChange() {
    if Graph.willChangeObservers > 0 { Graph.announceChange(of: self) }
  }

  /// Marks what is downstream of a leaf that changed, and has the observers among it run.
  final func changed() {
    guard !Graph.isDeriving else {
      Graph.refuseChange()
      return Graph.markLater(self)
    }
    version += 1
    if !readers.isEmpty { Graph.mark(readersOf: self) }
    if hasStockReaders { announceToStockObservers() }
  }
}
