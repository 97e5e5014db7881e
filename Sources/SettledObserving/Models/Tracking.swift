public import Observation

/// The registrar of a ``Model``: tells the graph, and stock observers, of reads and changes.
///
/// Its methods are called by the code that the `@Observable` macro makes. Called outside of
/// ``ObservingActor`` they stop the program with a message; the compiler keeps that from happening
/// where the model is confined.
public struct Tracking: Sendable {
  private let leaves = ModelLeaves()

  /// Creates the registrar of one model.
  public init() {}

  /// Records a read of a property.
  public func access<Subject: Observable, Member>(
    _ subject: Subject, keyPath: KeyPath<Subject, Member>
  ) {
    ObservingActor.check()
    ObservingActor.assume((leaves, subject, keyPath)) { leaves, subject, keyPath in
      if let reader = Graph.reader {
        reader.record(leaves.leaf(for: keyPath))
      } else if Graph.running.isEmpty {
        leaves.stockRegistrar.access(subject, keyPath: keyPath)
      }
    }
  }

  /// Announces a change of a property.
  public func willSet<Subject: Observable, Member>(
    _ subject: Subject, keyPath: KeyPath<Subject, Member>
  ) {
    ObservingActor.check()
    ObservingActor.assume((leaves, subject, keyPath)) { leaves, subject, keyPath in
      leaves.knownLeaf(for: keyPath)?.willChange()
      leaves.stock?.willSet(subject, keyPath: keyPath)
    }
  }

  /// Records a change of a property.
  public func didSet<Subject: Observable, Member>(
    _ subject: Subject, keyPath: KeyPath<Subject, Member>
  ) {
    ObservingActor.check()
    ObservingActor.assume((leaves, subject, keyPath)) { leaves, subject, keyPath in
      leaves.stock?.didSet(subject, keyPath: keyPath)
      leaves.knownLeaf(for: keyPath)?.changed()
    }
  }

  /// Changes a property by `mutation`.
  public func withMutation<Subject: Observable, Member, Answer>(
    of subject: Subject, keyPath: KeyPath<Subject, Member>, _ mutation: () throws -> Answer
  ) rethrows -> Answer {
    willSet(subject, keyPath: keyPath)
    defer { didSet(subject, keyPath: keyPath) }
    return try mutation()
  }
}

/// The leaves of one model: a node for each property that a memo or an observer read.
@ObservingActor
private final class ModelLeaves {
  /// The registrar for stock observers; there from the first read by one that may be.
  private(set) var stock: ObservationRegistrar?
  private var entries: [(keyPath: AnyKeyPath, leaf: Node)] = []

  nonisolated init() {}

  isolated deinit {
    if !entries.isEmpty { Graph.abandon(entries.lazy.map(\.leaf)) }
  }

  var stockRegistrar: ObservationRegistrar {
    if let stock { return stock }
    let registrar = ObservationRegistrar()
    stock = registrar
    return registrar
  }

  func leaf(for keyPath: AnyKeyPath) -> Node {
    if let leaf = knownLeaf(for: keyPath) { return leaf }
    let leaf = Node()
    entries.append((keyPath, leaf))
    return leaf
  }

  /// The leaf of a property that was read.
  ///
  /// A key path that is written out is one object wherever it is used; comparing as objects first
  /// saves comparing what they contain.
  func knownLeaf(for keyPath: AnyKeyPath) -> Node? {
    for entry in entries where entry.keyPath === keyPath { return entry.leaf }
    for entry in entries where entry.keyPath == keyPath { return entry.leaf }
    return nil
  }
}
