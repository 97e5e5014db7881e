package import SettledValues

/// Steps through the table by index, for who merges and compares documents.
extension YAMLDocument {
  /// The record of an entry's node: that of the anchor where the entry is an alias.
  package func resolved(_ entry: UInt32) -> UInt32 {
    let record = nodes[Int(entry)]
    return record.kind == .alias ? record.start : entry
  }

  /// The shape of an entry's node.
  package func kind(_ entry: UInt32) -> NodeRecord.Kind {
    nodes[Int(resolved(entry))].kind
  }

  /// Tells whether an entry is null, which in a map means that it is not set.
  package func isNull(_ entry: UInt32) -> Bool {
    let record = nodes[Int(resolved(entry))]
    return record.kind == .scalar && record.scalarClass == .null
  }

  /// The first entry of a map, nulls included, or the first element of a list.
  package func first(in container: UInt32) -> UInt32 {
    firstChild(nodes[Int(resolved(container))])
  }

  /// The entry or element behind another.
  package func next(_ entry: UInt32) -> UInt32 { nodes[Int(entry)].next }

  /// The number of entries of a map that are set, or of elements of a list.
  package func liveCount(_ container: UInt32) -> Int {
    let record = nodes[Int(resolved(container))]
    guard record.flags.contains(.hasNull) else { return Int(record.count) }
    var count = 0
    var entry = firstChild(record)
    while entry != NodeRecord.none {
      if !isNull(entry) { count += 1 }
      entry = next(entry)
    }
    return count
  }

  /// The hash of an entry's key, the same for equal keys in all documents.
  package func keyHash(_ entry: UInt32) -> UInt32 {
    keys.keys[Int(nodes[Int(entry)].key)].hash
  }

  /// The hash of a key that is not in a document yet.
  package static func keyHash(_ key: UnsafeBufferPointer<UInt8>) -> UInt32 { KeyTable.hash(key) }

  /// Tells whether two entries have the same key.
  package func hasSameKey(
    _ entry: UInt32, as other: UInt32, in document: YAMLDocument
  ) -> Bool {
    let (left, right) = (nodes[Int(entry)].key, document.nodes[Int(other)].key)
    if document === self { return left == right }
    return keys.isKey(left, equalTo: right, in: document.keys)
  }

  /// Tells whether the key of an entry is `key`.
  package func hasKey(_ entry: UInt32, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
    keys.isKey(nodes[Int(entry)].key, equalTo: key)
  }

  /// The entry of `key` that is set in a map; nil as well for what is no map.
  package func member(
    _ key: UnsafeBufferPointer<UInt8>, hash: UInt32, of map: UInt32
  ) -> UInt32? {
    let record = nodes[Int(resolved(map))]
    guard record.kind == .map, let number = keys.find(key, hash: hash),
      let entry = entry(number, in: record), !isNull(entry)
    else { return nil }
    return entry
  }

  /// The element at `position` of a list; nil as well for what is no list.
  package func element(_ position: Int, of list: UInt32) -> UInt32? {
    let record = nodes[Int(resolved(list))]
    return record.kind == .list ? element(position, in: record) : nil
  }

  /// The entry in a map that has the key of another document's entry.
  package func entry(
    like other: UInt32, of document: YAMLDocument, in map: UInt32
  ) -> UInt32? {
    let key = document.nodes[Int(other)].key
    if document === self { return entry(key, in: nodes[Int(resolved(map))]) }
    guard let number = keys.find(key, of: document.keys) else { return nil }
    return entry(number, in: nodes[Int(resolved(map))])
  }

  /// The text of an entry's key.
  package func key(of entry: UInt32) -> String { key(nodes[Int(entry)].key) }

  /// The place of an entry's value.
  package func place(_ entry: UInt32) -> Place {
    YAMLNode(document: self, entry: entry).place
  }

  /// The place of an entry's key.
  package func keyPlace(_ entry: UInt32) -> Place {
    YAMLNode.Entry(value: node(entry)).keyPlace
  }

  /// The node of an entry.
  package func node(_ entry: UInt32) -> YAMLNode { YAMLNode(document: self, entry: entry) }

  /// Tells whether two scalars are the same value.
  package func isSame(scalar: UInt32, as other: UInt32, in document: YAMLDocument) -> Bool {
    let (left, right) = (nodes[Int(scalar)], document.nodes[Int(other)])
    let isSameText = withText(of: left) { text in
      document.withText(of: right) { isSameBytes(text, $0) }
    }
    if left.scalarClass == right.scalarClass, isSameText { return true }
    if left.scalarClass == .string, right.scalarClass == .string { return false }
    return node(scalar).value() == document.node(other).value()
  }
}

/// Tells whether two runs of bytes are the same.
///
/// By words: most are short, and what calls memcmp(3) retains the arrays around it.
@inline(__always)
func isSameBytes(
  _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
) -> Bool {
  guard left.count == right.count else { return false }
  let (left, right) = (UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
  var offset = 0
  while offset + 8 <= left.count {
    let word = left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    guard word == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else { return false }
    offset += 8
  }
  while offset < left.count {
    guard left[offset] == right[offset] else { return false }
    offset += 1
  }
  return true
}

extension YAMLDocument {
  /// The entry or element that a step of a path names, null or not.
  package func child(_ component: Path.Component, of entry: UInt32) -> UInt32? {
    let record = nodes[Int(resolved(entry))]
    switch component {
    case .key(var key):
      guard record.kind == .map, let number = key.withUTF8({ keys.find($0) }) else { return nil }
      return self.entry(number, in: record)
    case .index(let position):
      return record.kind == .list ? element(position, in: record) : nil
    }
  }
}

extension YAMLDocument {
  /// Whether an entry's node is written in the source, not put around it by ``mounted(at:)``.
  package func isWritten(_ entry: UInt32) -> Bool {
    nodes[Int(resolved(entry))].line != .max
  }
}
