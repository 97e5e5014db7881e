public import SettledValues

/// The one document of a YAML file, as a table of located nodes.
///
/// Scalars keep their text as written until something asks for a type. Documents are compared by
/// identity.
public final class YAMLDocument: Sendable {
  /// The file, as messages show it.
  public var file: String { source.file }
  /// Whether messages may show nothing of the text.
  public var isSecret: Bool { source.isSecret }
  /// What was taken, but is likely not what was meant.
  public let warnings: [Diagnostic]

  let source: Source
  package let nodes: [NodeRecord]
  let keys: KeyTable
  /// Decoded text that is not a part of the source.
  let side: [UInt8]
  /// The indexes of wide maps and lists.
  let slots: [UInt32]
  package let rootIndex: UInt32
  /// Plain scalars that YAML 1.1 and 1.2 read differently, in order.
  let oddScalars: [UInt32]
  /// Keys and list items with nothing after them, in order.
  let emptyScalars: [UInt32]

  init(tree: Tree, source: Source, warnings: [Diagnostic]) {
    self.source = source
    self.warnings = warnings
    nodes = tree.nodes
    keys = tree.keys
    side = tree.side
    slots = tree.slots
    rootIndex = tree.root
    oddScalars = tree.oddScalars
    emptyScalars = tree.emptyScalars
  }

  /// The map at the top; nil for a file that has no content.
  public var root: YAMLNode? {
    rootIndex == NodeRecord.none ? nil : YAMLNode(document: self, entry: rootIndex)
  }

  /// The number of nodes in the table, keys not counted.
  public var nodeCount: Int { nodes.count }

  /// Gives the text of a scalar's record to `body`.
  func withText<Answer>(
    of record: NodeRecord, _ body: (UnsafeBufferPointer<UInt8>) -> Answer
  ) -> Answer {
    let range = Int(record.start)..<Int(record.start) + Int(record.count)
    if record.flags.contains(.isAside) {
      return side.withUnsafeBufferPointer { body(.init(rebasing: $0[range])) }
    }
    return source.bytes.withUnsafeBufferPointer { body(.init(rebasing: $0[range])) }
  }

  package func key(_ number: UInt32) -> String {
    keys.withBytes(of: number) { String(decoding: $0, as: UTF8.self) }
  }

  /// The first child of a map or list.
  package func firstChild(_ record: NodeRecord) -> UInt32 {
    record.flags.contains(.isWide) ? slots[Int(record.start)] : record.start
  }

  /// The entry with an interned key in the map `record`, nulls included.
  func entry(_ key: UInt32, in record: NodeRecord) -> UInt32? {
    guard record.flags.contains(.isWide) else {
      var child = record.start
      while child != NodeRecord.none {
        if nodes[Int(child)].key == key { return child }
        child = nodes[Int(child)].next
      }
      return nil
    }
    let mask = slots[Int(record.start) + 1]
    var slot = Tree.spread(key) & mask
    while true {
      let child = slots[Int(record.start) + 2 + Int(slot)]
      if child == NodeRecord.none { return nil }
      if nodes[Int(child)].key == key { return child }
      slot = (slot + 1) & mask
    }
  }

  /// The element at `position` of the list `record`.
  package func element(_ position: Int, in record: NodeRecord) -> UInt32? {
    guard position >= 0, position < Int(record.count) else { return nil }
    if record.flags.contains(.isWide) { return slots[Int(record.start) + position] }
    var child = record.start
    for _ in 0..<position { child = nodes[Int(child)].next }
    return child
  }
}
