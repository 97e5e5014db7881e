extension YAMLDocument {
  /// A document that is one scalar, from a source that is not YAML: a variable, a secret.
  ///
  /// - Parameters:
  ///   - text: The scalar's text, UTF-8.
  ///   - isPlain: Whether the core schema types it, as a scalar without quotes; else it is a string.
  ///   - file: The source, as messages show it.
  ///   - isSecret: Whether messages may show nothing of the text.
  public convenience init(
    scalar text: [UInt8], isPlain: Bool, file: String, isSecret: Bool = false
  ) {
    var record = NodeRecord(
      kind: .scalar, style: isPlain ? .plain : .doubleQuoted, line: .max, column: .max)
    record.start = 0
    record.count = UInt32(truncatingIfNeeded: text.count)
    var tree = Tree()
    tree.root = 0
    if isPlain {
      record.scalarClass = text.withUnsafeBufferPointer { ScalarClass(plain: $0) }
      if text.isEmpty { record.scalarClass = .string }
      if record.scalarClass.isOdd { tree.oddScalars = [0] }
    }
    tree.nodes = [record]
    self.init(
      tree: tree, source: Source(text, file: file, isSecret: isSecret), warnings: [])
  }

  /// This document as the value at `keys`: maps with one entry each around its top.
  public func mounted(at keys: [String]) -> YAMLDocument {
    guard !keys.isEmpty, rootIndex != NodeRecord.none else { return self }
    var tree = Tree(
      nodes: nodes, keys: self.keys, side: side, slots: slots, root: rootIndex,
      oddScalars: oddScalars, emptyScalars: emptyScalars)
    for key in keys.reversed() { tree.wrap(key) }
    return YAMLDocument(tree: tree, source: source, warnings: warnings)
  }
}

/// Nodes of a document put together in another way.
package indirect enum Arrangement {
  /// A node as it stands, by its entry.
  case node(UInt32)
  /// A map of other nodes.
  case map([(key: String, value: Arrangement)])
  /// A list of other nodes.
  case list([Arrangement])
  /// Null.
  case nothing
}

extension YAMLDocument {
  /// A document over the same source whose nodes are put together in another way; they keep their
  /// places.
  package func arranged(as arrangement: Arrangement) -> YAMLDocument {
    var tree = Tree(nodes: nodes, keys: keys, side: side, slots: slots)
    tree.root = tree.add(arrangement)
    return YAMLDocument(tree: tree, source: source, warnings: [])
  }
}

extension Tree {
  /// Adds nodes that are put together, and tells the entry of the topmost.
  fileprivate mutating func add(_ arrangement: Arrangement) -> UInt32 {
    switch arrangement {
    case .node(let entry):
      var record = nodes[Int(entry)]
      record.key = NodeRecord.none
      record.next = NodeRecord.none
      nodes.append(record)
    case .map(let entries):
      let children = entries.map { entry in
        let child = add(entry.value)
        var key = entry.key
        nodes[Int(child)].key = key.withUTF8 { keys.intern($0) }
        return child
      }
      addContainer(.map, children)
    case .list(let elements): addContainer(.list, elements.map { add($0) })
    case .nothing:
      var record = NodeRecord(kind: .scalar, style: .plain, line: .max, column: .max)
      record.scalarClass = .null
      record.start = 0
      nodes.append(record)
    }
    return UInt32(truncatingIfNeeded: nodes.count - 1)
  }

  private mutating func addContainer(_ kind: NodeRecord.Kind, _ children: [UInt32]) {
    for (child, next) in zip(children, children.dropFirst()) { nodes[Int(child)].next = next }
    nodes.append(NodeRecord(kind: kind, style: .block, line: .max, column: .max))
    let count = UInt32(truncatingIfNeeded: children.count)
    finish(
      UInt32(truncatingIfNeeded: nodes.count - 1), first: children.first ?? NodeRecord.none,
      count: count, isIndexed: true)
  }

  /// Puts a map with one entry, `key`, around the root.
  fileprivate mutating func wrap(_ key: String) {
    var key = key
    nodes[Int(root)].key = key.withUTF8 { keys.intern($0) }
    nodes[Int(root)].keyLine = .max
    nodes[Int(root)].keyColumn = .max
    var map = NodeRecord(kind: .map, style: .block, line: .max, column: .max)
    map.start = root
    map.count = 1
    if nodes[Int(root)].scalarClass == .null, nodes[Int(root)].kind == .scalar {
      map.flags = .hasNull
    }
    root = UInt32(truncatingIfNeeded: nodes.count)
    nodes.append(map)
  }
}
