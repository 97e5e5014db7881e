/// Keys and values in the order they were added, with lookup by key.
///
/// Small maps are searched from the front, larger ones through an index.
public struct ValueMap: Sendable, Hashable {
  /// The keys, in order.
  public private(set) var keys: [Value] = []
  /// The values, each at its key's position.
  public private(set) var values: [Value] = []
  private var index: [Value: Int] = [:]

  /// The number of entries from which lookups go through an index.
  private static let indexedSize = 9

  /// Creates an empty map.
  public init() {}

  /// Creates a map from entries; a later entry replaces an earlier one with the same key.
  public init(_ entries: some Sequence<(key: Value, value: Value)>) {
    let expected = entries.underestimatedCount
    keys.reserveCapacity(expected)
    values.reserveCapacity(expected)
    for entry in entries { self[entry.key] = entry.value }
  }

  /// The number of entries.
  public var count: Int { keys.count }

  /// Whether there are no entries.
  public var isEmpty: Bool { keys.isEmpty }

  /// The value of `key`; setting nil removes the entry.
  public subscript(key: Value) -> Value? {
    get { position(of: key).map { values[$0] } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?): values[position] = value
      case (let position?, nil): remove(at: position)
      case (nil, let value?): append(key, value)
      case (nil, nil): break
      }
    }
  }

  /// Adds an entry after the others, unless there is one with this key already.
  ///
  /// - Returns: whether it was added.
  public mutating func insert(_ value: Value, at key: Value) -> Bool {
    guard position(of: key) == nil else { return false }
    append(key, value)
    return true
  }

  /// The value of the string key `key`, or nil where there is none.
  public subscript(key: String) -> Value? {
    guard index.isEmpty else { return index[.string(key)].map { values[$0] } }
    for (position, candidate) in keys.enumerated() {
      if case .string(let name) = candidate, name.hasSameBytes(as: key) { return values[position] }
    }
    return nil
  }

  /// The position of `key` in `keys`, or nil where there is none.
  public func position(of key: Value) -> Int? {
    index.isEmpty ? keys.firstIndex(of: key) : index[key]
  }

  /// Tells whether two maps hold the same entries in the same order.
  public static func == (left: Self, right: Self) -> Bool {
    left.keys == right.keys && left.values == right.values
  }

  /// Feeds the entries, in order, to `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(keys)
    hasher.combine(values)
  }

  private mutating func append(_ key: Value, _ value: Value) {
    keys.append(key)
    values.append(value)
    if !index.isEmpty {
      index[key] = keys.count - 1
    } else if keys.count == Self.indexedSize {
      rebuildIndex()
    }
  }

  private mutating func remove(at position: Int) {
    keys.remove(at: position)
    values.remove(at: position)
    index = [:]
    if keys.count >= Self.indexedSize { rebuildIndex() }
  }

  private mutating func rebuildIndex() {
    for (position, key) in keys.enumerated() { index[key] = position }
  }
}

extension ValueMap: ExpressibleByDictionaryLiteral {
  /// Creates a map in the order written; a later entry replaces an earlier one with the same key.
  public init(dictionaryLiteral elements: (Value, Value)...) {
    self.init(elements.map { (key: $0.0, value: $0.1) })
  }
}
