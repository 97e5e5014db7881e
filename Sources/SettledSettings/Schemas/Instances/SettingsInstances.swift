internal import SettledYAML

/// The merged settings while they are validated; what is null in a map is not there.
///
/// Plain scalars are read as what the schema asks, and how each is read is noted.
struct SettingsInstances: Instances, BitwiseCopyable {
  typealias Node = NodeReference

  let arenas: UnsafeBufferPointer<Arena>
  let maps: UnsafeBufferPointer<MergedTree.Map>
  let entries: UnsafeBufferPointer<MergedTree.Entry>
  /// For each layer how its scalars are read, by entry.
  let readings: UnsafeBufferPointer<UnsafeMutablePointer<ScalarReading>?>
  /// The tree, for who looks for an entry.
  let tree: UnsafePointer<MergedTree>

  struct Cursor: BitwiseCopyable {
    var layer: UInt32
    var position: UInt32
    var end: UInt32
    var isMap: Bool
  }

  /// Stands for the settings where no layer says anything.
  static let empty = NodeReference(layer: NodeReference.merged, index: .max)

  func type(of node: NodeReference) -> JSONTypes {
    if node.isMerged { return mergedType(node) }
    let record = arenas[Int(node.layer)].resolved(node.index)
    switch record.kind {
    case .map: return .map
    case .list: return .list
    case .alias: return .null
    case .scalar: break
    }
    if reading(node)?.pointee == .text { return .string }
    return type(of: record, node)
  }

  @inline(__always) private func reading(_ node: NodeReference) -> UnsafeMutablePointer<
    ScalarReading
  >? {
    readings[Int(node.layer)].map { $0 + Int(node.index) }
  }

  private func mergedType(_ node: NodeReference) -> JSONTypes {
    node != Self.empty && maps[Int(node.index)].isList ? .list : .map
  }

  @inline(__always) private func type(of record: NodeRecord, _ node: NodeReference) -> JSONTypes {
    switch record.scalarClass {
    case .null: .null
    case .yes, .no: .bool
    case .integer, .octal, .hexadecimal: .integer
    case .float, .paddedFloat: number(of: node).isInteger ? .integer : .fraction
    case .infinity, .negativeInfinity, .notANumber: .fraction
    default: .string
    }
  }

  func type(of node: NodeReference, asked: JSONTypes, isSure: Bool) -> JSONTypes {
    if node.isMerged { return mergedType(node) }
    let record = arenas[Int(node.layer)].resolved(node.index)
    switch record.kind {
    case .map: return .map
    case .list, .alias: return .list
    case .scalar: break
    }
    let reading = reading(node)
    if reading?.pointee == .text, asked.contains(.string) { return .string }
    let type = type(of: record, node)
    guard record.isUntyped, type != .null else { return type }
    if !asked.contains(type), asked.contains(.string) {
      if isSure { reading?.pointee = .text }
      return .string
    }
    if isSure, record.mayBeOdd { note(record, type, asked, reading) }
    return type
  }

  /// Notes that an odd scalar is what a schema asks for.
  private func note(
    _ record: NodeRecord, _ type: JSONTypes, _ asked: JSONTypes,
    _ reading: UnsafeMutablePointer<ScalarReading>?
  ) {
    let expected: JSONTypes = type == .string ? [.string, .null] : [.number, .null]
    if record.isOdd, asked.isSubset(of: expected) { reading?.pointee = .asked }
  }

  func number(of node: NodeReference) -> JSONNumber {
    let arena = arenas[Int(node.layer)]
    let record = arena.resolved(node.index)
    let text = arena.text(record)
    if let whole = record.integer(text) { return .int(whole) }
    return record.number(text).map { JSONNumber($0) } ?? .int(0)
  }

  func bool(of node: NodeReference) -> Bool {
    if case .yes = arenas[Int(node.layer)].resolved(node.index).scalarClass { true } else { false }
  }

  func text(of node: NodeReference) -> UnsafeBufferPointer<UInt8> {
    let arena = arenas[Int(node.layer)]
    return arena.text(arena.resolved(node.index))
  }

  func count(of node: NodeReference) -> Int {
    if node == Self.empty { return 0 }
    if node.isMerged { return Int(maps[Int(node.index)].count) }
    let arena = arenas[Int(node.layer)]
    let record = arena.resolved(node.index)
    if case .map = record.kind { return arena.liveCount(record) }
    return Int(record.count)
  }

  func children(of node: NodeReference) -> Cursor {
    if node == Self.empty { return Cursor(layer: node.layer, position: 0, end: 0, isMap: true) }
    if node.isMerged {
      let map = maps[Int(node.index)]
      return Cursor(
        layer: node.layer, position: map.start, end: map.start + map.count, isMap: !map.isList)
    }
    let arena = arenas[Int(node.layer)]
    let record = arena.resolved(node.index)
    let isMap = if case .map = record.kind { true } else { false }
    return Cursor(
      layer: node.layer, position: arena.firstChild(record), end: RecordBits.none, isMap: isMap)
  }

  @inline(__always) func next(_ cursor: inout Cursor) -> InstanceChild<NodeReference>? {
    if cursor.layer == NodeReference.merged { return nextMerged(&cursor) }
    let arena = arenas[Int(cursor.layer)]
    while cursor.position != cursor.end {
      let entry = cursor.position
      cursor.position = arena.nodes[Int(entry)].next
      let node = NodeReference(layer: cursor.layer, index: entry)
      guard cursor.isMap else {
        return InstanceChild(node: node, key: UnsafeBufferPointer(start: nil, count: 0), hash: 0)
      }
      if arena.resolved(entry).isNull { continue }
      let key = arena.key(entry)
      return InstanceChild(node: node, key: key.text, hash: key.hash)
    }
    return nil
  }

  private func nextMerged(_ cursor: inout Cursor) -> InstanceChild<NodeReference>? {
    guard cursor.position != cursor.end else { return nil }
    let entry = entries[Int(cursor.position)]
    cursor.position += 1
    guard cursor.isMap else {
      return InstanceChild(
        node: entry.node, key: UnsafeBufferPointer(start: nil, count: 0), hash: 0)
    }
    let key = arenas[Int(entry.keyLayer)].key(entry.keyEntry)
    return InstanceChild(node: entry.node, key: key.text, hash: key.hash)
  }

  func member(
    _ key: UnsafeBufferPointer<UInt8>, hash: UInt32, of node: NodeReference
  ) -> NodeReference? {
    node == Self.empty
      ? nil : SettingsNode(tree: tree.pointee, reference: node).member(key, hash: hash)?.reference
  }
}

extension NodeRecord {
  /// False for the classes that most scalars are of, which are not odd.
  @inline(__always) fileprivate var mayBeOdd: Bool {
    switch scalarClass {
    case .string, .null, .yes, .no, .integer, .float: false
    default: true
    }
  }
}

/// How a plain scalar is read.
enum ScalarReading: UInt8 {
  /// By the core schema of YAML.
  case core
  /// As the string that the schema asks for.
  case text
  /// By the core schema, as the schema asks, so that nothing about it is odd.
  case asked
}
