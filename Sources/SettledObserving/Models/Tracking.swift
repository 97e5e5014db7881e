public import Observation

/// The registrar of a ``Model``: tells the graph, and stock observers, of reads and changes.
///
/// Its methods are called by the code that the `@Observable` macro makes. Called outside of
/// ``ObservingActor`` they stop the program with a message; the compiler keeps that from happening
/// where the model is confined.
public struct Tracking: Sendable {
  @usableFromInline let leaves = ModelLeaves()

  /// Creates the registrar of one model.
  public init() {}

  /// Records a read of a property.
  @inlinable
  public func access<Subject: Observable, Member>(
    _ subject: Subject, keyPath: KeyPath<Subject, Member>
  ) {
    leaves.read(keyPath)?.registrar.access(subject, keyPath: keyPath)
  }

  /// Announces a change of a property.
  @inlinable
  public func willSet<Subject: Observable, Member>(
    _ subject: Subject, keyPath: KeyPath<Subject, Member>
  ) {
    leaves.willChange(keyPath)?.registrar.willSet(subject, keyPath: keyPath)
  }

  /// Records a change of a property.
  @inlinable
  public func didSet<Subject: Observable, Member>(
    _ subject: Subject, keyPath: KeyPath<Subject, Member>
  ) {
    leaves.changed(keyPath)?.registrar.didSet(subject, keyPath: keyPath)
  }

  /// Changes a property by `mutation`.
  @inlinable
  public func withMutation<Subject: Observable, Member, Answer>(
    of subject: Subject, keyPath: KeyPath<Subject, Member>, _ mutation: () throws -> Answer
  ) rethrows -> Answer {
    willSet(subject, keyPath: keyPath)
    defer { didSet(subject, keyPath: keyPath) }
    return try mutation()
  }
}
