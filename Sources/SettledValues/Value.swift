/// A value as settings hold it and expressions compute it.
///
/// The cases are the types of the Common Expression Language (google/cel-spec, `langdef.md`); YAML
/// settings use `null`, `bool`, `int`, `double`, `string`, `list` and `map`.
public enum Value: Sendable {
  /// The null value.
  case null
  /// A truth value.
  case bool(Bool)
  /// A signed 64-bit integer.
  case int(Int64)
  /// An unsigned 64-bit integer.
  case uint(UInt64)
  /// An IEEE 754 double.
  case double(Double)
  /// Text, compared by its UTF-8 bytes and never by canonical equivalence.
  case string(String)
  /// Bytes that are not text.
  case bytes([UInt8])
  /// Values in order.
  case list([Value])
  /// Keys and values, in the order they were written.
  case map(ValueMap)
  /// An instant of time.
  case timestamp(Timestamp)
  /// A signed span of time.
  case duration(Duration)
  /// A type, by its name in CEL (`int`, `list`, `google.protobuf.Timestamp`).
  case type(String)
  /// A value that may be absent (CEL's optional types).
  indirect case optional(Value?)
}

/// An instant of time: seconds and nanoseconds since 1970-01-01T00:00:00Z.
///
/// The range is that of `google.protobuf.Timestamp`: years 1 to 9999.
public struct Timestamp: Sendable, Hashable, Comparable {
  /// Whole seconds since the epoch, negative before it.
  public var seconds: Int64
  /// Nanoseconds past `seconds`, 0 to 999,999,999.
  public var nanoseconds: Int32

  /// Creates an instant from its parts.
  public init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Tells whether one instant is before another.
  public static func < (left: Self, right: Self) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}

extension Value: Hashable {
  /// Tells whether two values are of one kind and the same to the bit.
  ///
  /// This is the equality that stops recomputation; CEL's `==`, which compares numbers across
  /// kinds, belongs to expressions. Strings are the same when their bytes are, NaN is NaN, and
  /// `0.0` is not `-0.0`. Maps are the same when their entries come in one order.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.uint(let a), .uint(let b)): a == b
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.bytes(let a), .bytes(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.map(let a), .map(let b)): a == b
    case (.timestamp(let a), .timestamp(let b)): a == b
    case (.duration(let a), .duration(let b)): a == b
    case (.type(let a), .type(let b)): a == b
    case (.optional(let a), .optional(let b)): a == b
    default: false
    }
  }

  /// Feeds the bits of the value to `hasher`; equal values give equal hashes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .uint(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.bitPattern)
    case .string(let value), .type(let value): hasher.combine(value)
    case .bytes(let value): hasher.combine(value)
    case .list(let value): hasher.combine(value)
    case .map(let value): hasher.combine(value)
    case .timestamp(let value): hasher.combine(value)
    case .duration(let value): hasher.combine(value)
    case .optional(let value): hasher.combine(value)
    }
  }
}

extension Value {
  /// The name of the value's type, as CEL's `type()` gives it.
  public var typeName: String {
    switch self {
    case .null: "null_type"
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .string: "string"
    case .bytes: "bytes"
    case .list: "list"
    case .map: "map"
    case .timestamp: "google.protobuf.Timestamp"
    case .duration: "google.protobuf.Duration"
    case .type: "type"
    case .optional: "optional_type"
    }
  }
}

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Creates the null value.
  public init(nilLiteral: ()) { self = .null }
  /// Creates a truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates a signed integer.
  public init(integerLiteral value: Int64) { self = .int(value) }
  /// Creates a double.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates a list.
  public init(arrayLiteral elements: Value...) { self = .list(elements) }
  /// Creates a map in the order written; a later entry replaces an earlier one with the same key.
  public init(dictionaryLiteral elements: (Value, Value)...) {
    self = .map(ValueMap(elements.map { (key: $0.0, value: $0.1) }))
  }
}
