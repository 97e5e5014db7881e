internal import SettledObserving
internal import SettledValues

/// What is read of one path: a node for each path that someone reads, and for those above it.
@ObservingActor
final class StoreNode {
  /// Whether something is there, its shape, and a leaf's value.
  private(set) var leaf: Dependency?
  /// The keys of a map, the number of elements of a list.
  private(set) var keySet: Dependency?
  /// Everything.
  private(set) var whole: Dependency?
  private(set) var children = StoreSteps()

  /// What can be depended on at a path.
  enum Aspect {
    case leaf, keySet, whole
  }

  func read(_ aspect: Aspect) {
    dependency(aspect).read()
  }

  func child(_ step: Value, made: () -> Void) -> StoreNode {
    if let child = children[step] { return child }
    made()
    let child = StoreNode()
    children[step] = child
    return child
  }

  /// Drops what nobody reads any more; gives the number of nodes that are left below.
  func sweep() -> Int {
    var count = 0
    var kept = StoreSteps()
    for (step, child) in children.all {
      let below = child.sweep()
      if below == 0, !child.isObserved { continue }
      kept[step] = child
      count += below + 1
    }
    children = kept
    return count
  }

  private var isObserved: Bool {
    leaf?.isObserved == true || keySet?.isObserved == true || whole?.isObserved == true
  }

  private func dependency(_ aspect: Aspect) -> Dependency {
    if let known = known(aspect) { return known }
    let made = Dependency()
    switch aspect {
    case .leaf: leaf = made
    case .keySet: keySet = made
    case .whole: whole = made
    }
    return made
  }

  private func known(_ aspect: Aspect) -> Dependency? {
    switch aspect {
    case .leaf: leaf
    case .keySet: keySet
    case .whole: whole
    }
  }
}

extension StoreNode {
  /// Adds all dependencies that someone reads, at this path and below.
  func collectObserved(into changed: inout [Dependency]) {
    changed += [leaf, keySet, whole].compactMap { $0 }.filter(\.isObserved)
    for (_, child) in children.all { child.collectObserved(into: &changed) }
  }

  /// Adds the dependencies at this path and below that see a difference between `old` and `new`.
  func collectChanged(
    _ old: SettingsNode?, _ new: SettingsNode?, into changed: inout [Dependency]
  ) {
    switch (old, new) {
    case (nil, nil): return
    case (let old?, let new?) where old.isIdentical(to: new): return
    default: break
    }
    if let leaf, leaf.isObserved, !Self.isSameLeaf(old, new) { changed.append(leaf) }
    if let keySet, keySet.isObserved, !Self.hasSameKeys(old, new) { changed.append(keySet) }
    if let whole, whole.isObserved, !Self.isSame(old, new) { changed.append(whole) }
    forEachSuspect(old, new) { step, child in
      child.collectChanged(old?.child(step), new?.child(step), into: &changed)
    }
  }

  /// Adds, with their paths, the dependencies here and below that see a difference between `old` and
  /// `new`.
  func collectPaths(
    _ old: SettingsNode?, _ new: SettingsNode?, at path: @autoclosure () -> Path,
    into changed: inout [ObjectIdentifier: Path]
  ) {
    switch (old, new) {
    case (nil, nil): return
    case (let old?, let new?) where old.isIdentical(to: new): return
    default: break
    }
    let path = path()
    if let leaf, !Self.isSameLeaf(old, new) { changed[leaf.identity] = path }
    if let keySet, !Self.hasSameKeys(old, new) { changed[keySet.identity] = path }
    if let whole, !Self.isSame(old, new) { changed[whole.identity] = path }
    forEachSuspect(old, new) { step, child in
      child.collectPaths(
        old?.child(step), new?.child(step), at: path.appending(step: step), into: &changed)
    }
  }

  /// Calls `body` for each child below which `old` and `new` may differ: of ten thousand that come
  /// from several files, for those that are written otherwise in the files that changed.
  private func forEachSuspect(
    _ old: SettingsNode?, _ new: SettingsNode?, _ body: (Value, StoreNode) -> Void
  ) {
    if let old, children.count >= Self.many,
      let keys = new?.keysThatMayDiffer(from: old, limit: children.count * Self.entriesPerChild)
    {
      for key in keys {
        if let child = children[.string(key)] { body(.string(key), child) }
      }
    } else {
      for (step, child) in children.all { body(step, child) }
    }
  }

  /// From how many children on what is written is compared first, to find those that may differ.
  private static let many = 16
  /// How many entries are compared in the time that one child takes to be looked at.
  private static let entriesPerChild = 4

  private static func isSameLeaf(_ old: SettingsNode?, _ new: SettingsNode?) -> Bool {
    guard let old, let new, old.kind == new.kind else { return false }
    return old.kind != .scalar || old.isSame(as: new)
  }

  private static func hasSameKeys(_ old: SettingsNode?, _ new: SettingsNode?) -> Bool {
    guard let old, let new, old.kind == new.kind else { return false }
    return old.hasSameKeys(as: new)
  }

  private static func isSame(_ old: SettingsNode?, _ new: SettingsNode?) -> Bool {
    guard let old, let new else { return false }
    return old.isSame(as: new)
  }
}

extension Path {
  /// The path one step of the store below this one.
  func appending(step: Value) -> Path {
    switch step {
    case .int(let position): appending(Int(position))
    default: appending(step.text ?? "")
    }
  }
}

extension SettingsNode {
  /// The child that a step in the store names.
  func child(_ step: Value) -> SettingsNode? {
    switch step {
    case .string(let key): member(key)
    case .int(let position): element(Int(position))
    default: nil
    }
  }
}
