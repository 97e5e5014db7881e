internal import SettledValues
internal import SettledYAML

/// A node of the settings with the tree it is in.
struct SettingsNode {
  let tree: MergedTree
  let reference: NodeReference

  enum Kind {
    case map, list, scalar
  }

  var kind: Kind {
    if reference.isMerged { return tree.maps[Int(reference.index)].isList ? .list : .map }
    switch document.kind(reference.index) {
    case .map: return .map
    case .list: return .list
    case .scalar, .alias: return .scalar
    }
  }

  /// The document of a node that is not merged.
  var document: YAMLDocument { tree.documents[Int(reference.layer)] }

  /// The number of entries that are set, or of elements.
  var count: Int {
    if reference.isMerged { return Int(tree.maps[Int(reference.index)].count) }
    return kind == .scalar ? 0 : document.liveCount(reference.index)
  }

  /// The entry `key` of a map, or nil where it is not set.
  func member(_ key: String) -> SettingsNode? {
    var key = key
    return key.withUTF8 { member($0, hash: YAMLDocument.keyHash($0)) }
  }

  func member(_ key: UnsafeBufferPointer<UInt8>, hash: UInt32) -> SettingsNode? {
    guard reference.isMerged else {
      return document.member(key, hash: hash, of: reference.index).map {
        node(NodeReference(layer: reference.layer, index: $0))
      }
    }
    let map = tree.maps[Int(reference.index)]
    guard !map.isList else { return nil }
    return position(in: map, hash) { entry in
      tree.documents[Int(entry.keyLayer)].hasKey(entry.keyEntry, key)
    }
  }

  /// The entry of a map that has the key of `entry`, an entry of another tree.
  func member(like entry: SettingsEntry) -> SettingsNode? {
    guard kind == .map else { return nil }
    guard reference.isMerged else {
      let found = document.entry(
        like: entry.keyEntry, of: entry.keyDocument, in: reference.index)
      guard let found, !document.isNull(found) else { return nil }
      return node(NodeReference(layer: reference.layer, index: found))
    }
    let map = tree.maps[Int(reference.index)]
    return position(in: map, entry.keyDocument.keyHash(entry.keyEntry)) { own in
      tree.documents[Int(own.keyLayer)].hasSameKey(
        own.keyEntry, as: entry.keyEntry, in: entry.keyDocument)
    }
  }

  private func position(
    in map: MergedTree.Map, _ hash: UInt32, _ matches: (MergedTree.Entry) -> Bool
  ) -> SettingsNode? {
    if map.slots == MergedTree.Map.none {
      for position in map.start..<map.start + map.count {
        let entry = tree.entries[Int(position)]
        if entry.hash == hash, matches(entry) { return node(entry.node) }
      }
      return nil
    }
    var slot = hash & map.mask
    while case let position = tree.slots[Int(map.slots + slot)], position != MergedTree.Map.none {
      let entry = tree.entries[Int(position)]
      if entry.hash == hash, matches(entry) { return node(entry.node) }
      slot = (slot + 1) & map.mask
    }
    return nil
  }

  /// The element at `position` of a list, or nil where there is none.
  func element(_ position: Int) -> SettingsNode? {
    guard reference.isMerged else {
      return document.element(position, of: reference.index).map {
        node(NodeReference(layer: reference.layer, index: $0))
      }
    }
    let list = tree.maps[Int(reference.index)]
    guard list.isList, position >= 0, position < list.count else { return nil }
    return node(tree.entries[Int(list.start) + position].node)
  }

  /// The child that a step of a path names.
  subscript(component: Path.Component) -> SettingsNode? {
    switch component {
    case .key(let key): member(key)
    case .index(let position): element(position)
    }
  }

  /// The whole; entries that are null are left out of maps.
  var value: Value {
    switch kind {
    case .scalar: return scalar
    case .list: return .list(elements.map(\.value))
    case .map: return .map(ValueMap(entries.map { (.string($0.key), $0.node.value) }))
    }
  }

  /// The value of what is a scalar.
  var scalar: Value {
    let node = document.node(reference.index)
    return isText ? .string(node.text) : node.value()
  }

  /// Whether it is a plain scalar that is text because the schema asks for text.
  var isText: Bool { !reference.isMerged && tree.reading(reference) == .text }

  func node(_ reference: NodeReference) -> SettingsNode {
    SettingsNode(tree: tree, reference: reference)
  }
}

/// An entry of a map of the settings.
struct SettingsEntry {
  /// The document that has the key, and its entry there.
  var keyDocument: YAMLDocument
  var keyEntry: UInt32
  var node: SettingsNode

  var key: String { keyDocument.key(of: keyEntry) }
}
