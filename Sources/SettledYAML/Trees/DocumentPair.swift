/// Two documents, such as a file before and after an edit, in which what is written alike is found at
/// the price of going through their tables once.
package struct DocumentPair {
  /// Tells, of two entries, whether what else their values hang on is the same.
  package typealias Check = (_ old: UInt32, _ new: UInt32) -> Bool

  private let oldDocument: YAMLDocument
  private let newDocument: YAMLDocument
  private let old: Arena
  private let new: Arena
  private let check: Check?

  /// Gives a pair, which lives until `body` ends, and asks `check` of each two entries that are compared;
  /// nothing for nil.
  package static func with<Answer>(
    _ old: YAMLDocument, _ new: YAMLDocument, _ check: Check?, _ body: (DocumentPair) -> Answer
  ) -> Answer {
    Arena.withArenas(of: [old, new]) { arenas in
      body(
        DocumentPair(
          oldDocument: old, newDocument: new, old: arenas[0], new: arenas[1], check: check))
    }
  }

  /// Whether the nodes of two entries have the same shape, the same keys in the same order, and below
  /// them scalars of one class and text.
  package func isAlike(_ left: UInt32, _ right: UInt32) -> Bool {
    let (one, other) = (old.resolved(left), new.resolved(right))
    guard one.kind == other.kind, one.count == other.count,
      (one.line == .max) == (other.line == .max), check?(left, right) ?? true
    else { return false }
    if one.kind == .scalar {
      return one.scalarClass == other.scalarClass && isSameBytes(old.text(one), new.text(other))
    }
    var (first, second) = (old.firstChild(one), new.firstChild(other))
    for _ in 0..<one.count {
      guard hasSameKey(first, second), isAlike(first, second) else { return false }
      (first, second) = (old.nodes[Int(first)].next, new.nodes[Int(second)].next)
    }
    return true
  }

  /// Whether two maps have the same keys in the same order, each with the same shape below it.
  package func hasSameKeys(_ left: UInt32, _ right: UInt32) -> Bool {
    let (one, other) = (old.resolved(left), new.resolved(right))
    guard one.count == other.count else { return false }
    var (first, second) = (old.firstChild(one), new.firstChild(other))
    for _ in 0..<one.count {
      let (below, beside) = (old.resolved(first), new.resolved(second))
      guard hasSameKey(first, second), below.kind == beside.kind, below.isNull == beside.isNull
      else { return false }
      (first, second) = (old.nodes[Int(first)].next, new.nodes[Int(second)].next)
    }
    return true
  }

  /// The keys of two maps that lead to what is not written alike, or that only one of them has.
  package func keysThatDiffer(_ left: UInt32, _ right: UInt32) -> [String] {
    var keys: [String] = []
    var first = old.firstChild(old.resolved(left))
    var second = new.firstChild(new.resolved(right))
    var isInStep = true
    while second != NodeRecord.none {
      var like: UInt32? = first
      if first == NodeRecord.none || !hasSameKey(first, second) {
        isInStep = false
        like = oldDocument.entry(like: second, of: newDocument, in: left)
      }
      if !(like.map { isAlike($0, second) } ?? false) { keys.append(newDocument.key(of: second)) }
      if let like { first = old.nodes[Int(like)].next }
      second = new.nodes[Int(second)].next
    }
    return isInStep && first == NodeRecord.none ? keys : keys + lostKeys(left, right)
  }

  /// The keys that only the first of two maps has.
  private func lostKeys(_ left: UInt32, _ right: UInt32) -> [String] {
    var keys: [String] = []
    var entry = old.firstChild(old.resolved(left))
    while entry != NodeRecord.none {
      if newDocument.entry(like: entry, of: oldDocument, in: right) == nil {
        keys.append(oldDocument.key(of: entry))
      }
      entry = old.nodes[Int(entry)].next
    }
    return keys
  }

  /// Whether two entries have one key, or none as elements have.
  private func hasSameKey(_ left: UInt32, _ right: UInt32) -> Bool {
    let (one, other) = (old.nodes[Int(left)].key, new.nodes[Int(right)].key)
    if one == NodeRecord.none || other == NodeRecord.none { return one == other }
    let (key, otherKey) = (old.keys[Int(one)], new.keys[Int(other)])
    return key.hash == otherKey.hash
      && isSameBytes(
        old.part(old.keyBytes, key.start, key.count),
        new.part(new.keyBytes, otherKey.start, otherKey.count))
  }
}

extension Arena {
  fileprivate func resolved(_ entry: UInt32) -> NodeRecord {
    let record = nodes[Int(entry)]
    return record.kind == .alias ? nodes[Int(record.start)] : record
  }

  fileprivate func firstChild(_ record: NodeRecord) -> UInt32 {
    record.flags.contains(.isWide) ? slots[Int(record.start)] : record.start
  }

  fileprivate func text(_ record: NodeRecord) -> UnsafeBufferPointer<UInt8> {
    part(record.flags.contains(.isAside) ? side : source, record.start, record.count)
  }

  fileprivate func part(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: UInt32, _ count: UInt32
  ) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes.baseAddress.map { $0 + Int(start) }, count: Int(count))
  }
}

extension NodeRecord {
  fileprivate var isNull: Bool { kind == .scalar && scalarClass == .null }
}
