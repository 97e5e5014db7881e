package import SettledValues

/// The tables of a document as pointers, for who goes through all of it without counting references.
///
/// The arrays are immutable and owned by the document, so that their elements stay where they are as
/// long as it lives: ``withArenas(of:_:)`` sees to that.
package struct Arena: BitwiseCopyable {
  @usableFromInline package let nodes: UnsafeBufferPointer<NodeRecord>
  @usableFromInline package let keys: UnsafeBufferPointer<KeyTable.Key>
  @usableFromInline package let keyBytes: UnsafeBufferPointer<UInt8>
  @usableFromInline package let source: UnsafeBufferPointer<UInt8>
  @usableFromInline package let side: UnsafeBufferPointer<UInt8>
  @usableFromInline package let slots: UnsafeBufferPointer<UInt32>

  /// Gives the arenas of documents, which live until `body` ends.
  package static func withArenas<Answer>(
    of documents: [YAMLDocument], _ body: (UnsafeBufferPointer<Arena>) -> Answer
  ) -> Answer {
    withExtendedLifetime(documents) {
      documents.map(Arena.init).withUnsafeBufferPointer(body)
    }
  }

  private init(_ document: YAMLDocument) {
    nodes = document.nodes.withUnsafeBufferPointer { $0 }
    keys = document.keys.keys.withUnsafeBufferPointer { $0 }
    keyBytes = document.keys.bytes.withUnsafeBufferPointer { $0 }
    source = document.source.bytes.withUnsafeBufferPointer { $0 }
    side = document.side.withUnsafeBufferPointer { $0 }
    slots = document.slots.withUnsafeBufferPointer { $0 }
  }

  /// The record of an entry.
  @inlinable @inline(__always) package func record(_ entry: UInt32) -> NodeRecord {
    nodes[Int(entry)]
  }

  /// The record of an entry's node: that of the anchor where the entry is an alias.
  @inlinable @inline(__always) package func resolved(_ entry: UInt32) -> NodeRecord {
    let record = nodes[Int(entry)]
    return record.kind == .alias ? nodes[Int(record.start)] : record
  }

  /// The text of a scalar's record.
  @inlinable @inline(__always) package func text(_ record: NodeRecord) -> UnsafeBufferPointer<UInt8>
  {
    Self.part(of: record.flags.contains(.isAside) ? side : source, record.start, record.count)
  }

  /// The text of an entry's key, and its hash.
  @inlinable @inline(__always) package func key(_ entry: UInt32) -> (
    text: UnsafeBufferPointer<UInt8>, hash: UInt32
  ) {
    let key = keys[Int(nodes[Int(entry)].key)]
    return (Self.part(of: keyBytes, key.start, key.count), key.hash)
  }

  @inlinable @inline(__always) package static func part(
    of bytes: UnsafeBufferPointer<UInt8>, _ start: UInt32, _ count: UInt32
  ) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes.baseAddress.map { $0 + Int(start) }, count: Int(count))
  }

  /// The first child of a map or list.
  @inlinable @inline(__always) package func firstChild(_ record: NodeRecord) -> UInt32 {
    record.flags.contains(.isWide) ? slots[Int(record.start)] : record.start
  }

  /// The number of entries that are set, or of elements.
  @inlinable @inline(__always) package func liveCount(_ record: NodeRecord) -> Int {
    guard record.flags.contains(.hasNull) else { return Int(record.count) }
    var count = 0
    var entry = firstChild(record)
    while entry != NodeRecord.none {
      if !resolved(entry).isNull { count += 1 }
      entry = nodes[Int(entry)].next
    }
    return count
  }
}

extension NodeRecord {
  /// Whether it is a scalar that is null.
  @inlinable @inline(__always) package var isNull: Bool { kind == .scalar && scalarClass == .null }

  /// Whether it is a plain scalar without a tag, whose type is not said.
  @inlinable @inline(__always) package var isUntyped: Bool {
    kind == .scalar && style == .plain && !flags.contains(.isTagged)
  }

  /// Whether YAML 1.1 and 1.2, or other readers, take the text for different things.
  package var isOdd: Bool { kind == .scalar && scalarClass.isOdd }
}

extension YAMLNode {
  /// Where its key is written, nil outside of maps.
  package var keyPlace: Place? {
    document.nodes[Int(entry)].key == NodeRecord.none ? nil : Entry(value: self).keyPlace
  }

  /// Whether it is a plain integer that 64 bits cannot hold, which settings keep as text.
  package var isLargeInteger: Bool { kind == .scalar && record.scalarClass == .hugeInteger }
}
