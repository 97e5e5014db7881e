internal import SettledYAML

/// Reads the tables of a document.
extension Arena {
  /// The record of an entry's node: that of the anchor where the entry is an alias.
  @inline(__always) func resolved(_ entry: UInt32) -> NodeRecord {
    let record = nodes[Int(entry)]
    if case .alias = record.kind { return nodes[Int(record.start)] }
    return record
  }

  /// The text of a scalar's record.
  @inline(__always) func text(_ record: NodeRecord) -> UnsafeBufferPointer<UInt8> {
    Self.part(of: record.has(RecordBits.isAside) ? side : source, record.start, record.count)
  }

  /// The text of an entry's key, and its hash.
  @inline(__always) func key(
    _ entry: UInt32
  ) -> (text: UnsafeBufferPointer<UInt8>, hash: UInt32) {
    let key = keys[Int(nodes[Int(entry)].key)]
    return (Self.part(of: keyBytes, key.start, key.count), key.hash)
  }

  @inline(__always) private static func part(
    of bytes: UnsafeBufferPointer<UInt8>, _ start: UInt32, _ count: UInt32
  ) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes.baseAddress.map { $0 + Int(start) }, count: Int(count))
  }

  /// The first child of a map or list.
  @inline(__always) func firstChild(_ record: NodeRecord) -> UInt32 {
    record.has(RecordBits.isWide) ? slots[Int(record.start)] : record.start
  }

  /// The number of entries that are set, or of elements.
  func liveCount(_ record: NodeRecord) -> Int {
    guard record.has(RecordBits.hasNull) else { return Int(record.count) }
    var count = 0
    var entry = firstChild(record)
    while entry != RecordBits.none {
      if !resolved(entry).isNull { count += 1 }
      entry = nodes[Int(entry)].next
    }
    return count
  }
}

extension NodeRecord {
  @inline(__always) func has(_ bit: UInt8) -> Bool { flags.rawValue & bit != 0 }

  /// Whether it is a scalar that is null.
  @inline(__always) var isNull: Bool {
    if case .scalar = kind, case .null = scalarClass { return true }
    return false
  }

  /// Whether it is a plain scalar without a tag, whose type is not said.
  @inline(__always) var isUntyped: Bool {
    if case .scalar = kind, case .plain = style { return !has(RecordBits.isTagged) }
    return false
  }
}

/// Constants of `NodeRecord`, as this module's own: those of another one are called for.
package enum RecordBits {
  /// `Flags.isAside`.
  package static let isAside: UInt8 = 1
  /// `Flags.hasNull`.
  package static let hasNull: UInt8 = 8
  /// `Flags.isWide`.
  package static let isWide: UInt8 = 16
  /// `Flags.isTagged`.
  package static let isTagged: UInt8 = 32
  /// `none`.
  package static let none = UInt32.max
}
