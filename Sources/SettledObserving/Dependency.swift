/// Something that is read and changes, without a value of its own.
///
/// It makes a store of any kind observable: the store calls ``read()`` where it hands out what the
/// dependency stands for, and ``changed()`` after that changed. It is cheap to make, so that there
/// can be one for each thing that someone reads; one that nobody reads any more can be dropped.
@ObservingActor
public struct Dependency {
  let node = Node()

  /// Creates a dependency that nobody has read.
  public init() {}

  /// Whether reads are being recorded: a store needs no dependency for one that is not.
  public static var isTracking: Bool { Graph.reader != nil }

  /// Whether a memo or an observer that is alive has read it.
  public var isObserved: Bool { !node.readers.isEmpty }

  /// Records a read by the memo or observer that is being evaluated, or by a stock observer.
  public func read() { node.read() }

  /// Runs the willChange handlers downstream; for a store that has them, before a change.
  public func willChange() { node.willChange() }

  /// Has the memos and observers downstream look again, at the cost of what is downstream.
  public func changed() { node.changed() }
}
