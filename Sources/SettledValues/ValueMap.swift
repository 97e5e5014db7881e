/// Keys and values in the order they were added, with lookup by key.
///
/// Small maps are searched from the front, larger ones through an index.
public struct ValueMap: Sendable, Hashable {
  private struct Contents: Sendable {
    var keys: [Value] = []
    var values: [Value] = []
    var index: [Value: Int] = [:]
  }

  /// The contents, or nothing where the map is empty.
  ///
  /// An array of one element is a box that is copied when it is written: a copy of the map is one
  /// count, and a `Value` stays small.
  private var contents: [Contents] = []

  /// The number of entries from which lookups go through an index.
  private static let indexedSize = 9

  /// Creates an empty map.
  public init() {}

  /// Creates a map from entries; a later entry replaces an earlier one with the same key.
  public init(_ entries: some Sequence<(key: Value, value: Value)>) {
    let expected = entries.underestimatedCount
    if expected > 0 {
      contents = [Contents()]
      contents[0].keys.reserveCapacity(expected)
      contents[0].values.reserveCapacity(expected)
    }
    for entry in entries { self[entry.key] = entry.value }
  }

  /// The keys, in order.
  public var keys: [Value] { contents.isEmpty ? [] : contents[0].keys }

  /// The values, each at its key's position.
  public var values: [Value] { contents.isEmpty ? [] : contents[0].values }

  /// The number of entries.
  public var count: Int { contents.isEmpty ? 0 : contents[0].keys.count }

  /// Whether there are no entries.
  public var isEmpty: Bool { count == 0 }

  /// The value of `key`; setting nil removes the entry.
  public subscript(key: Value) -> Value? {
    get { position(of: key).map { contents[0].values[$0] } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?): contents[0].values[position] = value
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
    guard !contents.isEmpty else { return nil }
    guard contents[0].index.isEmpty else {
      return contents[0].index[.string(key)].map { contents[0].values[$0] }
    }
    for position in contents[0].keys.indices {
      if case .string(let name) = contents[0].keys[position], name.hasSameBytes(as: key) {
        return contents[0].values[position]
      }
    }
    return nil
  }

  /// The position of `key` in `keys`, or nil where there is none.
  public func position(of key: Value) -> Int? {
    guard !contents.isEmpty else { return nil }
    return contents[0].index.isEmpty
      ? contents[0].keys.firstIndex(of: key) : contents[0].index[key]
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
    if contents.isEmpty { contents = [Contents()] }
    contents[0].keys.append(key)
    contents[0].values.append(value)
    if !contents[0].index.isEmpty {
      contents[0].index[key] = contents[0].keys.count - 1
    } else if contents[0].keys.count == Self.indexedSize {
      rebuildIndex()
    }
  }

  private mutating func remove(at position: Int) {
    contents[0].keys.remove(at: position)
    contents[0].values.remove(at: position)
    contents[0].index = [:]
    if contents[0].keys.count >= Self.indexedSize { rebuildIndex() }
  }

  private mutating func rebuildIndex() {
    for position in contents[0].keys.indices {
      contents[0].index[contents[0].keys[position]] = position
    }
  }
}

extension ValueMap: ExpressibleByDictionaryLiteral {
  /// Creates a map in the order written; a later entry replaces an earlier one with the same key.
  public init(dictionaryLiteral elements: (Value, Value)...) {
    self.init(elements.map { (key: $0.0, value: $0.1) })
  }
}
