public import SettledValues

/// A number of bytes, written as `65536`, `64KiB` or `10MB`.
public struct ByteCount: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The number.
  public var bytes: Int

  /// Creates a number of bytes.
  public init(_ bytes: Int) {
    self.bytes = bytes
  }

  /// So many times 1,024 bytes.
  public static func kibibytes(_ count: Int) -> ByteCount { ByteCount(count << 10) }

  /// So many times 1,048,576 bytes.
  public static func mebibytes(_ count: Int) -> ByteCount { ByteCount(count << 20) }

  /// Tells whether one is less than another.
  public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }

  /// The number with the largest unit that divides it: `64KiB`.
  public var description: String {
    let units = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)]
    for (unit, shift) in units where bytes != 0 && bytes & (1 << shift - 1) == 0 {
      return "\(bytes >> shift)\(unit)"
    }
    return String(bytes)
  }
}

extension ByteCount: SettingValue {
  /// Reads a number of bytes.
  public static func read(_ node: SettingNode) throws(Refusal) -> ByteCount {
    guard let bytes = Int(exactly: try node.byteCount()) else {
      throw node.mismatch("a smaller size")
    }
    return ByteCount(bytes)
  }

  /// The schema: digits, with a unit or without.
  public static var schema: ValueMap {
    [
      "type": ["integer", "string"], "minimum": 0,
      "pattern": "^[0-9]+(B|[KMGT](iB|B)?|kB)?$", "examples": ["64KiB", "10MB"],
    ]
  }

  /// The number with its unit.
  public var written: Value {
    bytes.description.hasSameBytes(as: description)
      ? .int(Int64(bytes)) : .string(description)
  }
}
