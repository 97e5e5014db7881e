import SettledObserving
public import SettledValues

/// A path that someone reads, and how much of it.
public struct ReadPath: Sendable, Hashable {
  /// The path.
  public var path: Path
  /// Whether everything below it is read too; else its value, or the keys it has.
  public var isWhole: Bool
}

extension SettingsStore {
  /// What is read of the settings, by the identity of the dependency that stands for it.
  ///
  /// That something passed a map or list on its way to what lies in it is left out.
  public var readPaths: [ObjectIdentifier: ReadPath] {
    var found: [ObjectIdentifier: ReadPath] = [:]
    root.collectReads(settings.root, at: Path(), into: &found)
    return found
  }
}

extension StoreNode {
  fileprivate func collectReads(
    _ node: SettingsNode?, at path: Path, into found: inout [ObjectIdentifier: ReadPath]
  ) {
    let isContainer = node.map { $0.kind != .scalar } ?? false
    if let leaf, leaf.isObserved, !isContainer {
      found[leaf.identity] = ReadPath(path: path, isWhole: false)
    }
    if let keySet, keySet.isObserved {
      found[keySet.identity] = ReadPath(path: path, isWhole: false)
    }
    if let whole, whole.isObserved { found[whole.identity] = ReadPath(path: path, isWhole: true) }
    for (step, child) in children.all {
      child.collectReads(node?.child(step), at: path.appending(step: step), into: &found)
    }
  }
}
