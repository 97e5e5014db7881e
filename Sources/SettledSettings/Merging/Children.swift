internal import SettledYAML

/// Goes through what a map or list of the settings holds, without what is null in a map.
struct Children: Sequence, IteratorProtocol {
  private let parent: SettingsNode
  private let isList: Bool
  /// The next entry: of the document, or of the merged map.
  private var position: UInt32
  private let end: UInt32

  init(_ parent: SettingsNode) {
    self.parent = parent
    isList = parent.kind == .list
    if parent.reference.isMerged {
      let map = parent.tree.maps[Int(parent.reference.index)]
      position = map.start
      end = map.start + map.count
    } else {
      position =
        parent.kind == .scalar ? NodeRecord.none : parent.document.first(in: parent.reference.index)
      end = NodeRecord.none
    }
  }

  /// The next entry; that of a list has no key.
  mutating func next() -> SettingsEntry? {
    guard !parent.reference.isMerged else { return nextMerged() }
    let document = parent.document
    while position != end {
      let entry = position
      position = document.next(entry)
      if !isList, document.isNull(entry) { continue }
      let reference = NodeReference(layer: parent.reference.layer, index: entry)
      return SettingsEntry(
        keyDocument: document, keyEntry: entry, node: parent.node(reference))
    }
    return nil
  }

  private mutating func nextMerged() -> SettingsEntry? {
    guard position != end else { return nil }
    let entry = parent.tree.entries[Int(position)]
    position += 1
    return SettingsEntry(
      keyDocument: parent.tree.documents[Int(entry.keyLayer)], keyEntry: entry.keyEntry,
      node: parent.node(entry.node))
  }
}

extension SettingsNode {
  /// The entries of a map, in order.
  var entries: Children { Children(self) }

  /// The elements of a list.
  var elements: [SettingsNode] { kind == .list ? Children(self).map(\.node) : [] }
}
