public import SettledValues
internal import SettledYAML

/// What one layer says of a path.
public struct Mention: Sendable, Hashable {
  /// The rank of the layer.
  public var rank: Int
  /// What the layer is.
  public var origin: String
  /// What it speaks of: the path, or one above it that it unsets, or has no map or list at.
  public var path: Path
  /// Where it says it: for what an alias or merge key brought, where its anchor is.
  public var place: Place
  /// Where the alias or merge key is, if one brought it.
  public var aliasPlace: Place?
  /// The value; nil where it unsets the path.
  public var value: Value?
  /// Whether the value is secret.
  public var isSecret: Bool
}

/// Where a setting comes from.
public struct Origin: Sendable, Hashable {
  /// The layer that wins.
  public var winner: Mention
  /// What lower layers say of the same path, highest rank first.
  public var overridden: [Mention]
}

extension Settings {
  /// Where the value at a path comes from, or nil where nothing is set.
  ///
  /// A map that several layers have comes from the highest of them.
  public func origin(at path: Path) -> Origin? {
    guard let node = node(at: path) else { return nil }
    let mentions = explain(path)
    let winner = node.reference.isMerged ? node.sources.last?.reference : node.reference
    guard let winner, let first = mentions.firstIndex(where: { $0.rank == Int(winner.layer) })
    else { return nil }
    return Origin(winner: mentions[first], overridden: Array(mentions[(first + 1)...]))
  }

  /// What all layers say of a path or unset above it, highest rank first.
  public func explain(_ path: Path) -> [Mention] {
    layers.indices.reversed().compactMap { rank in
      let document = layers[rank].document
      guard let (entry, length) = deepest(path, in: document) else { return nil }
      let isMet = length == path.components.count
      guard isMet || document.kind(entry) != .map else { return nil }
      return mention(entry, of: Path(Array(path.components.prefix(length))), rank)
    }
  }

  /// The place of a value for a message, or nil where nothing is set.
  public func place(at path: Path) -> Place? {
    guard let node = node(at: path) else { return nil }
    guard let source = node.reference.isMerged ? node.sources.last : node else { return nil }
    return source.document.place(source.reference.index)
  }

  /// An error at the value at a path: its place, its line, and the place that it overrides.
  public func fault(_ message: String, at path: Path, hint: String? = nil) -> Diagnostic {
    guard let origin = origin(at: path) else {
      return Diagnostic(.error, message, hint: hint)
    }
    let document = layers[origin.winner.rank].document
    let notes = origin.overridden.first.map {
      [Diagnostic.Note("overrides the value here", at: $0.place)]
    }
    guard let (entry, _) = deepest(path, in: document) else {
      return Diagnostic(.error, message, at: origin.winner.place, hint: hint)
    }
    var fault = document.node(entry).fault(message, hint: hint, notes: notes ?? [])
    if isMarked(path) { fault.excerpt = nil }
    return fault
  }

  private func mention(_ entry: UInt32, of path: Path, _ rank: Int) -> Mention {
    let document = layers[rank].document
    let node = document.node(entry)
    return Mention(
      rank: rank, origin: layers[rank].origin, path: path, place: node.place,
      aliasPlace: node.aliasPlace, value: value(node, rank),
      isSecret: document.isSecret || isMarked(path))
  }

  private func value(_ node: YAMLNode, _ rank: Int) -> Value? {
    if node.isNull { return nil }
    let reference = NodeReference(layer: UInt32(truncatingIfNeeded: rank), index: node.entry)
    return tree.reading(reference) == .text ? .string(node.text) : node.value()
  }

  /// The entry that a document has for a path or for the longest start of it.
  private func deepest(
    _ path: Path, in document: YAMLDocument
  ) -> (entry: UInt32, length: Int)? {
    var entry = document.rootIndex
    guard entry != NodeRecord.none else { return nil }
    for (length, component) in path.components.enumerated() {
      guard let child = document.child(component, of: entry) else { return (entry, length) }
      entry = child
    }
    return (entry, path.components.count)
  }
}
