public import SettledValues
internal import SettledYAML

extension SettingsNode {
  /// Whether two nodes are the same node of the same document, or merged from such nodes: a quick
  /// way to see that nothing below them can differ.
  func isIdentical(to other: SettingsNode) -> Bool {
    guard !reference.isMerged, !other.reference.isMerged else { return hasSameSources(as: other) }
    guard document === other.document,
      tree.readsAlike(reference.layer, as: other.reference.layer, in: other.tree)
    else { return false }
    return document.resolved(reference.index) == document.resolved(other.reference.index)
  }

  /// Tells whether two nodes have the same value, keys in the same order, and the same secrets.
  func isSame(as other: SettingsNode) -> Bool {
    if isIdentical(to: other) { return true }
    guard kind == other.kind else { return false }
    switch kind {
    case .scalar:
      if isText || other.isText { return isSecret == other.isSecret && value == other.value }
      return isSecret == other.isSecret
        && document.isSame(
          scalar: document.resolved(reference.index),
          as: other.document.resolved(other.reference.index), in: other.document)
    case .list, .map:
      return isWrittenAlike(as: other) || hasSameChildren(as: other)
    }
  }

  /// Whether two merged maps are made of the same maps.
  private func hasSameSources(as other: SettingsNode) -> Bool {
    guard reference.isMerged, other.reference.isMerged else { return false }
    let (left, right) = (sources, other.sources)
    guard left.count == right.count else { return false }
    return zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
  }

  /// The maps that a merged map is made of, lowest rank first.
  var sources: [SettingsNode] {
    guard reference.isMerged else { return [] }
    let map = tree.maps[Int(reference.index)]
    return tree.sources[Int(map.sources)..<Int(map.sources + map.sourceCount)].map(node)
  }

  /// Tells whether two maps have the same keys in the same order, or two lists the same length.
  func hasSameKeys(as other: SettingsNode) -> Bool {
    guard hasSecretKeys == other.hasSecretKeys else { return false }
    guard kind == .map else { return count == other.count }
    if isIdentical(to: other) || isWrittenWithSameKeys(as: other) { return true }
    var (left, right) = (entries, other.entries)
    while true {
      guard let first = left.next() else { return right.next() == nil }
      guard let second = right.next(), first.hasSameKey(as: second) else { return false }
    }
  }

  private func hasSameChildren(as other: SettingsNode) -> Bool {
    let isMap = kind == .map
    var (left, right) = (entries, other.entries)
    while true {
      guard let first = left.next() else { return right.next() == nil }
      guard let second = right.next() else { return false }
      if isMap, !first.hasSameKey(as: second) { return false }
      guard first.node.isSame(as: second.node) else { return false }
    }
  }
}

extension SettingsEntry {
  func hasSameKey(as other: SettingsEntry) -> Bool {
    keyDocument.hasSameKey(keyEntry, as: other.keyEntry, in: other.keyDocument)
  }
}

extension Settings {
  /// The paths whose value is not what it was: of leaves, and of what came, went, or changed its
  /// shape as a whole.
  ///
  /// No more than `limit` are looked for; a few more may be given.
  public func changes(since old: Settings, limit: Int = .max) -> [Path] {
    var changes: [Path] = []
    switch (old.root, root) {
    case (nil, nil): break
    case (let before?, let after?): Self.compare(before, after, Path(), limit, &changes)
    default: changes.append(Path())
    }
    return changes
  }

  private static func compare(
    _ before: SettingsNode, _ after: SettingsNode, _ path: Path, _ limit: Int,
    _ changes: inout [Path]
  ) {
    if changes.count >= limit || before.isIdentical(to: after) { return }
    guard before.kind == after.kind else { return changes.append(path) }
    switch after.kind {
    case .scalar:
      if !before.isSame(as: after) { changes.append(path) }
    case .list:
      guard before.count == after.count else { return changes.append(path) }
      for (position, pair) in zip(before.elements, after.elements).enumerated() {
        compare(pair.0, pair.1, path.appending(position), limit, &changes)
      }
    case .map:
      if let keys = after.keysThatMayDiffer(from: before) {
        for key in keys where changes.count < limit {
          let below = path.appending(key)
          switch (before.member(key), after.member(key)) {
          case (nil, nil): break
          case (let old?, let new?): compare(old, new, below, limit, &changes)
          default: changes.append(below)
          }
        }
        return
      }
      for entry in after.entries {
        let below = path.appending(entry.key)
        if let old = before.member(like: entry) {
          compare(old, entry.node, below, limit, &changes)
        } else {
          changes.append(below)
        }
      }
      for entry in before.entries where after.member(like: entry) == nil {
        changes.append(path.appending(entry.key))
      }
    }
  }
}
