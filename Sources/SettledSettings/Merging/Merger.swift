internal import SettledYAML

/// Merges layers key by key: the later wins, lists are replaced whole, null unsets.
struct Merger {
  let documents: [YAMLDocument]
  private(set) var maps: [MergedTree.Map] = []
  private(set) var entries: [MergedTree.Entry] = []
  private(set) var sources: [NodeReference] = []
  private(set) var slots: [UInt32] = []

  /// Maps with more entries than this have an index.
  private static let wide = 12
  /// Whether the lowest layer has what holds wherever nothing is set.
  private let hasFloor: Bool

  init(_ documents: [YAMLDocument], hasFloor: Bool = false) {
    self.documents = documents
    self.hasFloor = hasFloor
  }

  /// The node that layers say together for one path, or nil where it is not set.
  ///
  /// `nodes` are what each layer that has the path says, lowest rank first.
  mutating func merge(_ nodes: [NodeReference]) -> NodeReference? {
    var maps: [NodeReference] = []
    for node in nodes.reversed() {
      let document = documents[Int(node.layer)]
      if document.kind(node.index) == .map {
        maps.append(node)
        continue
      }
      if maps.isEmpty, !document.isNull(node.index) { return withFloor(node, nodes[0]) }
      if hasFloor, let floor = nodes.first, floor.layer == 0, floor != maps.last {
        guard !maps.isEmpty else { return floor == node ? nil : floor }
        maps.append(floor)
      }
      break
    }
    guard maps.count > 1 else { return maps.first }
    maps.reverse()
    return combine(maps)
  }

  /// A list whose elements have more in the lowest layer, else the list or scalar itself.
  private mutating func withFloor(_ list: NodeReference, _ floor: NodeReference) -> NodeReference {
    let (document, floors) = (documents[Int(list.layer)], documents[0])
    guard hasFloor, floor.layer == 0, list.layer != 0, document.kind(list.index) == .list,
      floors.kind(floor.index) == .list
    else { return list }
    var combined: [MergedTree.Entry] = []
    var (entry, lower) = (document.first(in: list.index), floors.first(in: floor.index))
    while entry != NodeRecord.none {
      let own = NodeReference(layer: list.layer, index: entry)
      let below = NodeReference(layer: 0, index: lower)
      let node = floors.isNull(lower) ? own : merge([below, own]) ?? own
      combined.append(MergedTree.Entry(keyLayer: 0, keyEntry: 0, hash: 0, node: node))
      (entry, lower) = (document.next(entry), floors.next(lower))
    }
    return add(combined, from: [floor, list], isList: true)
  }

  /// A map of the entries of several maps.
  private mutating func combine(_ maps: [NodeReference]) -> NodeReference {
    var gathered = Gathered(documents, maps)
    var combined: [MergedTree.Entry] = []
    combined.reserveCapacity(gathered.keys.count)
    for key in gathered.keys.indices {
      var entry = gathered.keys[key]
      guard let node = merged(key, &gathered) else { continue }
      entry.node = node
      combined.append(entry)
    }
    return add(combined, from: maps, isList: false)
  }

  private mutating func add(
    _ combined: [MergedTree.Entry], from maps: [NodeReference], isList: Bool
  ) -> NodeReference {
    var map = MergedTree.Map(
      start: UInt32(truncatingIfNeeded: entries.count),
      count: UInt32(truncatingIfNeeded: combined.count),
      sources: UInt32(truncatingIfNeeded: sources.count),
      sourceCount: UInt32(truncatingIfNeeded: maps.count))
    entries += combined
    sources += maps
    map.isList = isList
    if !isList, combined.count > Self.wide { index(&map) }
    self.maps.append(map)
    return NodeReference(
      layer: NodeReference.merged, index: UInt32(truncatingIfNeeded: self.maps.count - 1))
  }

  private mutating func merged(_ key: Int, _ gathered: inout Gathered) -> NodeReference? {
    let nodes = gathered.nodes(of: key)
    guard nodes.count == 1 else { return merge(nodes) }
    let only = nodes[0]
    return documents[Int(only.layer)].isNull(only.index) ? nil : only
  }

  private mutating func index(_ map: inout MergedTree.Map) {
    var size = 32
    while size < Int(map.count) * 2 { size *= 2 }
    map.slots = UInt32(truncatingIfNeeded: slots.count)
    map.mask = UInt32(truncatingIfNeeded: size - 1)
    slots.append(contentsOf: repeatElement(MergedTree.Map.none, count: size))
    for entry in map.start..<map.start + map.count {
      var slot = entries[Int(entry)].hash & map.mask
      while slots[Int(map.slots + slot)] != MergedTree.Map.none { slot = (slot + 1) & map.mask }
      slots[Int(map.slots + slot)] = entry
    }
  }
}

/// The keys of several maps, each once, with what each map has for it.
private struct Gathered {
  /// The keys in the order they come first.
  private(set) var keys: [MergedTree.Entry] = []
  private let documents: [YAMLDocument]
  /// For each key its first and last mention in `mentions`.
  private var ends: [(first: Int, last: Int)] = []
  private var mentions: [(node: NodeReference, next: Int)] = []
  private var slots: [Int]

  init(_ documents: [YAMLDocument], _ maps: [NodeReference]) {
    self.documents = documents
    var total = 0
    for map in maps {
      let document = documents[Int(map.layer)]
      total += Int(document.nodes[Int(document.resolved(map.index))].count)
    }
    var size = 16
    while size < total * 2 { size *= 2 }
    slots = [Int](repeating: -1, count: size)
    keys.reserveCapacity(total)
    ends.reserveCapacity(total)
    mentions.reserveCapacity(total)
    for map in maps { add(map) }
  }

  /// What the maps have for a key, lowest rank first.
  func nodes(of key: Int) -> [NodeReference] {
    var nodes: [NodeReference] = []
    var mention = ends[key].first
    while mention >= 0 {
      nodes.append(mentions[mention].node)
      mention = mentions[mention].next
    }
    return nodes
  }

  private mutating func add(_ map: NodeReference) {
    let document = documents[Int(map.layer)]
    var entry = document.first(in: map.index)
    while entry != NodeRecord.none {
      let node = NodeReference(layer: map.layer, index: entry)
      let key = key(of: node, document)
      mentions.append((node, -1))
      if ends[key].first < 0 {
        ends[key].first = mentions.count - 1
      } else {
        mentions[ends[key].last].next = mentions.count - 1
      }
      ends[key].last = mentions.count - 1
      entry = document.next(entry)
    }
  }

  /// The number of an entry's key, which is added where it is new.
  private mutating func key(of node: NodeReference, _ document: YAMLDocument) -> Int {
    let hash = document.keyHash(node.index)
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] >= 0 {
      let known = keys[slots[slot]]
      if known.hash == hash,
        document.hasSameKey(
          node.index, as: known.keyEntry, in: documents[Int(known.keyLayer)])
      {
        return slots[slot]
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = keys.count
    keys.append(
      MergedTree.Entry(keyLayer: node.layer, keyEntry: node.index, hash: hash, node: node))
    ends.append((-1, -1))
    return keys.count - 1
  }
}
