public import SettledValues
internal import SettledYAML

/// All layers merged: one immutable value.
///
/// Later layers win key by key; lists are replaced whole; a map over a scalar, or a scalar over a
/// map, replaces it; a written `null` unsets what lower layers say.
public struct Settings: Sendable {
  let tree: MergedTree

  /// Creates settings without any layer.
  public init() {
    tree = MergedTree([])
  }

  init(_ tree: MergedTree) {
    self.tree = tree
  }

  /// Takes one layer as it is, for who looks at a part of it: empty keys count as not set.
  package init(unchecked layer: Layer) {
    tree = MergedTree([layer])
  }

  /// Merges layers, lowest rank first.
  ///
  /// - Throws: A finding for each key, in any layer, that has nothing after it.
  public init(_ layers: [Layer]) throws(Refusal) {
    let missing = layers.flatMap { $0.document.missingValues() }
    guard missing.isEmpty else { throw Refusal(missing) }
    tree = MergedTree(layers)
  }

  /// The same with warnings of who made it.
  func adding(_ remarks: [Diagnostic]) -> Settings {
    remarks.isEmpty
      ? self : Settings(MergedTree(tree, marks: tree.marks, remarks: tree.remarks + remarks))
  }

  /// The layers, lowest rank first.
  public var layers: [Layer] { tree.layers }

  /// What was taken, but is likely not what was meant, in all layers.
  public var warnings: [Diagnostic] {
    layers.indices.flatMap { rank in
      let document = layers[rank].document
      return document.warnings
        + document.oddities { entry in
          let layer = UInt32(truncatingIfNeeded: rank)
          return tree.reading(NodeReference(layer: layer, index: entry)) == .core
        }
    } + tree.remarks
  }

  /// The value at a path, or nil where nothing is set.
  public func value(at path: Path = Path()) -> Value? {
    node(at: path)?.value
  }

  /// The keys of the map at a path in order; nil where there is no map.
  public func keys(at path: Path = Path()) -> [String]? {
    guard let node = node(at: path), node.kind == .map else { return nil }
    return node.entries.map(\.key)
  }

  /// The number of entries or elements at a path; nil where there is no map or list.
  public func count(at path: Path = Path()) -> Int? {
    guard let node = node(at: path), node.kind != .scalar else { return nil }
    return node.count
  }

  var root: SettingsNode? {
    tree.root.map { SettingsNode(tree: tree, reference: $0) }
  }

  func node(at path: Path) -> SettingsNode? {
    var node = root
    for component in path.components { node = node?[component] }
    return node
  }
}
