/// A dictionary that is observed key by key.
///
/// Who reads a value, or that there is none, depends on that key alone; who reads the keys or
/// their number depends on the set of keys; who reads ``all`` depends on everything. There is a
/// node for each key that someone reads, none for the others.
@ObservingActor
public final class Cells<Key: Hashable, Value> {
  private var storage: [Key: Value]
  private let isSame: @ObservingActor (Value, Value) -> Bool
  private let keySet = Dependency()
  private let whole = Dependency()
  private var cells: [Key: Dependency] = [:]
  /// With how many cells those that nobody reads are dropped.
  private var sweepCount = 32

  /// Creates cells with `values`.
  ///
  /// - Parameters:
  ///   - values: the first entries.
  ///   - isSame: whether a new value is no change.
  public init(
    _ values: [Key: Value] = [:], isSame: @escaping @ObservingActor (Value, Value) -> Bool
  ) {
    storage = values
    self.isSame = isSame
  }

  /// Creates cells with `values`, where an equal value is no change.
  public convenience init(_ values: [Key: Value] = [:]) where Value: Equatable {
    self.init(values, isSame: { $0 == $1 })
  }

  /// The value of `key`, or nil where there is none.
  public subscript(key: Key) -> Value? {
    get {
      read { cell(for: key) }
      return storage[key]
    }
    set { set(key, to: newValue) }
  }

  /// The keys, in no order.
  public var keys: some Collection<Key> {
    read { keySet }
    return storage.keys
  }

  /// The number of keys.
  public var count: Int {
    read { keySet }
    return storage.count
  }

  /// Whether there are no keys.
  public var isEmpty: Bool { count == 0 }

  /// All entries.
  public var all: [Key: Value] {
    whole.read()
    return storage
  }

  /// Replaces all entries; who reads an entry that stays the same sees no change.
  public func replaceAll(with values: [Key: Value]) {
    let former = storage.keys
    for key in former where values[key] == nil { set(key, to: nil) }
    for (key, value) in values { set(key, to: value) }
  }

  private func set(_ key: Key, to value: Value?) {
    let former = storage[key]
    if let former, let value, isSame(former, value) { return }
    if former == nil && value == nil { return }
    var changed = [whole]
    if (former == nil) != (value == nil) { changed.insert(keySet, at: 0) }
    if let cell = cells[key] { changed.insert(cell, at: 0) }
    for dependency in changed { dependency.willChange() }
    storage[key] = value
    for dependency in changed { dependency.changed() }
    if let cell = cells[key], !cell.isObserved { cells[key] = nil }
  }

  /// Records a read: a stock observer, for which there are no cells, depends on everything.
  private func read(_ dependency: () -> Dependency) {
    if Dependency.isTracking { dependency().read() } else { whole.read() }
  }

  private func cell(for key: Key) -> Dependency {
    if let cell = cells[key] { return cell }
    if cells.count >= sweepCount {
      cells = cells.filter { $0.value.isObserved }
      sweepCount = max(32, 2 * cells.count)
    }
    let cell = Dependency()
    cells[key] = cell
    return cell
  }
}
