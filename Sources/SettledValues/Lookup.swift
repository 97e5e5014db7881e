/// Something that can look up what an expression names.
///
/// What an expression read through a lookup is what it depends on: a lookup that tracks its reads
/// hands out containers that are read piece by piece, one that does not hands out values.
public protocol Lookup {
  /// Finds what `name` stands for, or nil where there is no such name.
  ///
  /// - Throws: the reason why a name that exists has no value, such as a derived value that failed.
  func lookUp(_ name: String) throws -> Found?
}

/// What a lookup found.
public enum Found {
  /// A value.
  case value(Value)
  /// A map or list that is read on demand.
  indirect case container(any Container)
}

/// A map or list that is read piece by piece, so that only what is read is depended on.
public protocol Container {
  /// Whether it is a list; else it is a map with string keys.
  var isList: Bool { get }
  /// The number of entries or elements. Reads the key set.
  var count: Int { get }
  /// The keys of a map in order; empty for a list. Reads the key set.
  var keys: [String] { get }
  /// Whether a map has the entry `key`. Reads the key set, not the entry.
  func hasMember(_ key: String) -> Bool
  /// The entry `key` of a map, or nil where there is none. Reads that entry, or its absence.
  func member(_ key: String) throws -> Found?
  /// The element at `position` of a list, or nil where there is none.
  func element(_ position: Int) throws -> Found?
  /// The whole. Reads everything below.
  func whole() throws -> Value
}

extension Container {
  /// Whether a map has the entry `key`, found by going through its keys.
  public func hasMember(_ key: String) -> Bool {
    keys.contains { $0.hasSameBytes(as: key) }
  }
}

/// A lookup over fixed values, which tracks nothing.
public struct ValueLookup: Lookup, Sendable {
  /// The names and what they stand for.
  public var names: ValueMap

  /// Creates a lookup over the entries of a map with string keys.
  public init(_ names: ValueMap) {
    self.names = names
  }

  /// Creates a lookup over `names`.
  public init(_ names: [String: Value]) {
    self.names = ValueMap(names.map { (key: .string($0.key), value: $0.value) })
  }

  /// Finds the value of `name`.
  public func lookUp(_ name: String) -> Found? {
    names[name].map(Found.value)
  }
}
