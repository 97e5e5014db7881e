package import SettledValues

/// The tables of a document as pointers, for who goes through all of it without counting references.
///
/// The arrays are immutable and owned by the document, so that their elements stay where they are as
/// long as it lives: ``withArenas(of:_:)`` sees to that. Who goes through them reads them by code of its
/// own module: the compiler inlines nothing of another one that is not public.
package struct Arena: BitwiseCopyable {
  package let nodes: UnsafeBufferPointer<NodeRecord>
  package let keys: UnsafeBufferPointer<KeyTable.Key>
  package let keyBytes: UnsafeBufferPointer<UInt8>
  package let source: UnsafeBufferPointer<UInt8>
  package let side: UnsafeBufferPointer<UInt8>
  package let slots: UnsafeBufferPointer<UInt32>

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
}

extension NodeRecord {
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
