/// The growing table of a document's nodes.
struct Tree {
  var nodes: [NodeRecord] = []
  var keys = KeyTable()
  var side: [UInt8] = []
  var slots: [UInt32] = []
  var root = NodeRecord.none
  var oddScalars: [UInt32] = []
  var emptyScalars: [UInt32] = []

  /// Containers with more children than this have an index.
  private static let wide = 16

  /// Spreads the numbers of keys over the slots of an index.
  static func spread(_ key: UInt32) -> UInt32 {
    let product = key &* 0x9E37_79B1
    return product ^ product >> 15
  }

  /// Keeps text that is not a part of the source, and tells where.
  mutating func keep(_ text: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let start = side.count
    side.append(contentsOf: text)
    return UInt32(truncatingIfNeeded: start)
  }

  /// Gives a container its children, and an index where they are many and their keys differ.
  mutating func finish(_ node: UInt32, first: UInt32, count: UInt32, isIndexed: Bool) {
    nodes[Int(node)].count = count
    nodes[Int(node)].start = first
    guard isIndexed, count > Self.wide else { return }
    nodes[Int(node)].flags.insert(.isWide)
    nodes[Int(node)].start = UInt32(truncatingIfNeeded: slots.count)
    if nodes[Int(node)].kind == .map {
      index(first, count)
    } else {
      forEachChild(from: first) { slots, child, _ in slots.append(child) }
    }
  }

  private mutating func index(_ first: UInt32, _ count: UInt32) {
    var size = 32
    while size < Int(count) * 2 { size *= 2 }
    let mask = UInt32(truncatingIfNeeded: size - 1)
    let base = slots.count + 2
    slots.append(first)
    slots.append(mask)
    slots.append(contentsOf: repeatElement(NodeRecord.none, count: size))
    forEachChild(from: first) { slots, child, key in
      var slot = Self.spread(key) & mask
      while slots[base + Int(slot)] != NodeRecord.none { slot = (slot + 1) & mask }
      slots[base + Int(slot)] = child
    }
  }

  private mutating func forEachChild(
    from first: UInt32, _ body: (inout [UInt32], UInt32, UInt32) -> Void
  ) {
    var child = first
    while child != NodeRecord.none {
      body(&slots, child, nodes[Int(child)].key)
      child = nodes[Int(child)].next
    }
  }
}
