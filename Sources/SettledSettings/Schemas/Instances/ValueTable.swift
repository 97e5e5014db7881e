internal import SettledValues
internal import SettledYAML

/// A plain value as a table of nodes.
struct ValueTable: Sendable {
  struct Record {
    var type: JSONTypes
    var number = JSONNumber.int(0)
    /// The text's bytes, or the children in `links`.
    var start: UInt32 = 0
    var count: UInt32 = 0
    var keyStart: UInt32 = 0
    var keyCount: UInt32 = 0
    var hash: UInt32 = 0
  }

  private(set) var records: [Record] = []
  /// The children of maps and lists, in order, and behind those of large maps sorted by hash.
  private(set) var links: [UInt32] = []
  private(set) var bytes: [UInt8] = []

  /// Maps with more entries than this are searched through the sorted children.
  static let wide = 8

  /// Adds a value, and tells its number.
  @discardableResult
  mutating func add(_ value: Value) -> UInt32 {
    let index = UInt32(truncatingIfNeeded: records.count)
    records.append(Record(type: .null))
    records[Int(index)] = record(of: value)
    return index
  }

  private mutating func record(of value: Value) -> Record {
    switch value {
    case .bool(let value): return Record(type: .bool, number: .int(value ? 1 : 0))
    case .int, .uint, .double:
      let number = JSONNumber(value) ?? .int(0)
      return Record(type: number.isInteger ? .integer : .fraction, number: number)
    case .string(let text): return self.text(text)
    case .list(let list):
      let children = list.map { add($0) }
      var record = Record(type: .list)
      link(children, &record)
      return record
    case .map(let map):
      var record = Record(type: .map)
      link(zip(map.keys, map.values).map { entry($0, $1) }, &record)
      return record
    default: return Record(type: .null)
    }
  }

  private mutating func text(_ text: String) -> Record {
    let start = bytes.count
    bytes += text.utf8
    return Record(
      type: .string, start: UInt32(truncatingIfNeeded: start),
      count: UInt32(truncatingIfNeeded: bytes.count - start))
  }

  private mutating func entry(_ key: Value, _ value: Value) -> UInt32 {
    var name = if case .string(let name) = key { name } else { "\(key)" }
    let start = bytes.count
    bytes += name.utf8
    let child = add(value)
    records[Int(child)].keyStart = UInt32(truncatingIfNeeded: start)
    records[Int(child)].keyCount = UInt32(truncatingIfNeeded: name.utf8.count)
    records[Int(child)].hash = name.withUTF8 { YAMLDocument.keyHash($0) }
    return child
  }

  private mutating func link(_ children: [UInt32], _ record: inout Record) {
    record.start = UInt32(truncatingIfNeeded: links.count)
    record.count = UInt32(truncatingIfNeeded: children.count)
    links += children
    guard record.type == .map, children.count > Self.wide else { return }
    let records = records
    links += children.sorted { records[Int($0)].hash < records[Int($1)].hash }
  }

  /// Gives the table as something to go through.
  func withInstances<Answer>(_ body: (ValueInstances) -> Answer) -> Answer {
    records.withUnsafeBufferPointer { records in
      links.withUnsafeBufferPointer { links in
        bytes.withUnsafeBufferPointer {
          body(ValueInstances(records: records, links: links, bytes: $0))
        }
      }
    }
  }
}

/// A table of values while it is gone through.
struct ValueInstances: Instances {
  let records: UnsafeBufferPointer<ValueTable.Record>
  let links: UnsafeBufferPointer<UInt32>
  let bytes: UnsafeBufferPointer<UInt8>

  struct Cursor: BitwiseCopyable {
    var position: UInt32
    var end: UInt32
  }

  func type(of node: UInt32) -> JSONTypes { records[Int(node)].type }

  func number(of node: UInt32) -> JSONNumber { records[Int(node)].number }

  func bool(of node: UInt32) -> Bool { records[Int(node)].number == .int(1) }

  func text(of node: UInt32) -> UnsafeBufferPointer<UInt8> {
    let record = records[Int(node)]
    return slice(record.start, record.count)
  }

  func count(of node: UInt32) -> Int { Int(records[Int(node)].count) }

  func children(of node: UInt32) -> Cursor {
    let record = records[Int(node)]
    return Cursor(position: record.start, end: record.start + record.count)
  }

  func next(_ cursor: inout Cursor) -> InstanceChild<UInt32>? {
    guard cursor.position < cursor.end else { return nil }
    let node = links[Int(cursor.position)]
    cursor.position += 1
    let record = records[Int(node)]
    return InstanceChild(
      node: node, key: slice(record.keyStart, record.keyCount), hash: record.hash)
  }

  func member(_ key: UnsafeBufferPointer<UInt8>, hash: UInt32, of node: UInt32) -> UInt32? {
    let record = records[Int(node)]
    let isWide = Int(record.count) > ValueTable.wide
    var position = isWide ? firstSorted(hash, record) : record.start
    let end = record.start + record.count * (isWide ? 2 : 1)
    while position < end {
      let child = links[Int(position)]
      let own = records[Int(child)]
      if own.hash == hash, slice(own.keyStart, own.keyCount).elementsEqual(key) { return child }
      if isWide, own.hash > hash { return nil }
      position += 1
    }
    return nil
  }

  /// The first of a large map's sorted children whose hash is not below `hash`.
  private func firstSorted(_ hash: UInt32, _ record: ValueTable.Record) -> UInt32 {
    var (low, high) = (record.start + record.count, record.start + 2 * record.count)
    while low < high {
      let middle = (low + high) / 2
      if records[Int(links[Int(middle)])].hash < hash { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func slice(_ start: UInt32, _ count: UInt32) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[Int(start)..<Int(start + count)])
  }
}
