internal import Glibc

/// Equality of JSON values: numbers by their value, maps whatever the order of their keys.
enum JSONEquality {
  private static let seed = UInt64.random(in: .min ... .max)

  /// Tells whether two nodes are the same value.
  static func isSame<Left: Instances, Right: Instances>(
    _ left: Left.Node, in lefts: Left, as right: Right.Node, in rights: Right
  ) -> Bool {
    let type = lefts.type(of: left)
    guard type == rights.type(of: right) else { return false }
    switch type {
    case .null: return true
    case .bool: return lefts.bool(of: left) == rights.bool(of: right)
    case .integer, .fraction: return lefts.number(of: left) == rights.number(of: right)
    case .string: return isSameBytes(lefts.text(of: left), rights.text(of: right))
    default: break
    }
    guard lefts.count(of: left) == rights.count(of: right) else { return false }
    var cursor = lefts.children(of: left)
    var other = rights.children(of: right)
    while let child = lefts.next(&cursor) {
      let found =
        type == .map
        ? rights.member(child.key, hash: child.hash, of: right) : rights.next(&other)?.node
      guard let found, isSame(child.node, in: lefts, as: found, in: rights) else { return false }
    }
    return true
  }

  /// A hash that is the same for the same values.
  static func hash<Tree: Instances>(_ node: Tree.Node, in tree: Tree) -> UInt32 {
    let hash = longHash(node, in: tree)
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }

  private static func longHash<Tree: Instances>(_ node: Tree.Node, in tree: Tree) -> UInt64 {
    let type = tree.type(of: node)
    let start = mix(seed, UInt64(type.rawValue))
    switch type {
    case .bool: return mix(start, tree.bool(of: node) ? 1 : 0)
    case .integer, .fraction: return mix(start, bits(of: tree.number(of: node)))
    case .string: return hash(of: tree.text(of: node), from: start)
    case .list:
      var hash = start
      var cursor = tree.children(of: node)
      while let child = tree.next(&cursor) { hash = mix(hash, longHash(child.node, in: tree)) }
      return hash
    case .map:
      var sum: UInt64 = 0
      var cursor = tree.children(of: node)
      while let child = tree.next(&cursor) {
        sum &+= mix(mix(start, UInt64(child.hash)), longHash(child.node, in: tree))
      }
      return mix(start, sum)
    default: return start
    }
  }

  private static func bits(of number: JSONNumber) -> UInt64 {
    switch number {
    case .int(let value): UInt64(bitPattern: value)
    case .uint(let value): value
    case .double(let value): value.bitPattern
    }
  }

  private static func hash(of text: UnsafeBufferPointer<UInt8>, from start: UInt64) -> UInt64 {
    var hash = start
    let raw = UnsafeRawBufferPointer(text)
    var offset = 0
    while offset + 8 <= raw.count {
      hash = mix(hash, raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest = UInt64(raw.count)
    while offset < raw.count {
      rest = rest << 8 | UInt64(raw[offset])
      offset += 1
    }
    return mix(hash, rest)
  }

  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}

/// Tells whether two runs of bytes are the same.
func isSameBytes(
  _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
) -> Bool {
  guard left.count == right.count else { return false }
  guard let first = left.baseAddress, let second = right.baseAddress else { return true }
  return memcmp(first, second, left.count) == 0
}
