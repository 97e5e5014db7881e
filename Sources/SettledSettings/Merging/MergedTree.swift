internal import SettledValues
internal import SettledYAML

/// A node of the settings: in the document of a layer, or merged from several.
struct NodeReference: Hashable {
  /// The rank of the layer, or `merged`.
  var layer: UInt32
  /// The entry in the layer's document, or the number of the merged map.
  var index: UInt32

  static let merged = UInt32.max

  var isMerged: Bool { layer == Self.merged }
}

/// The settings as a tree whose nodes stay in their documents.
///
/// Only where several layers have a map at one path is there a map of its own; everything below a
/// path that one layer alone has is that layer's subtree, untouched.
final class MergedTree: Sendable {
  /// A map made of several layers' maps.
  struct Map {
    /// Its entries in `entries`.
    var start: UInt32
    var count: UInt32
    /// The maps it is made of in `sources`, lowest rank first.
    var sources: UInt32
    var sourceCount: UInt32
    /// Its index in `slots`, or `none` for a map that is searched from the front.
    var slots = none
    var mask: UInt32 = 0
    /// Whether it is a list: its entries have no keys.
    var isList = false

    static let none = UInt32.max
  }

  /// An entry of a merged map.
  struct Entry {
    /// A document's entry that has the key.
    var keyLayer: UInt32
    var keyEntry: UInt32
    var hash: UInt32
    var node: NodeReference
  }

  let layers: [Layer]
  let documents: [YAMLDocument]
  let maps: [Map]
  let entries: [Entry]
  let sources: [NodeReference]
  let slots: [UInt32]
  let root: NodeReference?
  /// What is secret beside the values of secret layers; nil for nothing.
  let marks: SecretMarks?
  /// Whether the lowest layer has what holds wherever nothing is set.
  let hasFloor: Bool
  /// Whether anything may be secret: where nothing is, nobody looks.
  let hasSecrets: Bool
  /// How the plain scalars of each layer are read; empty for all by the core schema of YAML.
  let readings: [LayerReadings?]
  /// What the schema remarks of the settings.
  let remarks: [Diagnostic]

  /// Merges layers; `hasFloor` where the lowest has what holds wherever nothing is set, so that null
  /// does not unset it.
  init(_ layers: [Layer], hasFloor: Bool = false) {
    var merger = Merger(layers.map(\.document), hasFloor: hasFloor)
    root = merger.merge(
      layers.indices.compactMap { rank in
        let root = layers[rank].document.rootIndex
        return root == NodeRecord.none
          ? nil : NodeReference(layer: UInt32(truncatingIfNeeded: rank), index: root)
      })
    self.layers = layers
    documents = merger.documents
    maps = merger.maps
    entries = merger.entries
    sources = merger.sources
    slots = merger.slots
    self.hasFloor = hasFloor
    marks = nil
    hasSecrets = layers.contains(where: \.isSecret)
    readings = []
    remarks = []
  }

  /// The same tree with other marks, or other readings.
  init(
    _ tree: MergedTree, marks: SecretMarks?, readings: [LayerReadings?]? = nil,
    remarks: [Diagnostic]? = nil
  ) {
    layers = tree.layers
    documents = tree.documents
    maps = tree.maps
    entries = tree.entries
    sources = tree.sources
    slots = tree.slots
    root = tree.root
    hasFloor = tree.hasFloor
    self.marks = marks
    hasSecrets = marks != nil || layers.contains(where: \.isSecret)
    self.readings = readings ?? tree.readings
    self.remarks = remarks ?? tree.remarks
  }
}

/// How the plain scalars of one layer are read, by entry; the same object while nothing changes.
final class LayerReadings: Sendable {
  let readings: [ScalarReading]

  init(_ readings: [ScalarReading]) {
    self.readings = readings
  }
}

extension MergedTree {
  /// How a scalar is read.
  func reading(_ node: NodeReference) -> ScalarReading {
    guard !readings.isEmpty, let layer = readings[Int(node.layer)] else { return .core }
    return layer.readings[Int(node.index)]
  }

  /// Whether a layer's scalars are read as those of another tree's layer.
  func readsAlike(_ layer: UInt32, as other: UInt32, in tree: MergedTree) -> Bool {
    let left = readings.isEmpty ? nil : readings[Int(layer)]
    let right = tree.readings.isEmpty ? nil : tree.readings[Int(other)]
    return left === right
  }
}
