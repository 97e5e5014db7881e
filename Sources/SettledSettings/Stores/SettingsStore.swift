public import SettledObserving
public import SettledValues

/// The settings in force, observed path by path.
///
/// It depends three ways: on a leaf's value, on a map's or list's key set, and on a whole subtree
/// only where it is asked for. There is a node for each path that someone reads, none for others;
/// replacing the settings looks at those nodes only.
@ObservingActor
public final class SettingsStore {
  /// The settings in force; reading this property depends on nothing.
  public private(set) var settings: Settings
  let root = StoreNode()
  private var nodeCount = 0
  /// With how many nodes those that nobody reads are dropped.
  private var sweepCount = 64

  /// Creates a store.
  public init(_ settings: Settings = Settings()) {
    self.settings = settings
  }

  /// Replaces the settings; who reads what stays the same sees no change.
  ///
  /// It is a transaction, or a part of the one that is open.
  public func replace(with settings: Settings) {
    var changed: [Dependency] = []
    if self.settings.secretPaths == settings.secretPaths {
      root.collectChanged(self.settings.root, settings.root, into: &changed)
    } else {
      // What is computed again comes out equal where neither value nor secrecy changed.
      root.collectObserved(into: &changed)
    }
    transaction {
      for dependency in changed { dependency.willChange() }
      self.settings = settings
      for dependency in changed { dependency.changed() }
    }
  }

  /// The paths that someone has read and that are not what they are in `old`, by the identity of the
  /// dependency that sees the difference.
  public func changes(since old: Settings) -> [ObjectIdentifier: Path] {
    var changed: [ObjectIdentifier: Path] = [:]
    root.collectPaths(old.root, settings.root, at: Path(), into: &changed)
    return changed
  }

  /// The value at a path, or nil where nothing is set; depends on everything below the path.
  public func value(at path: Path = Path()) -> Value? {
    node(at: path)?.read(.whole)
    return settings.value(at: path)
  }

  /// A lookup of the settings by their top-level names, as `settings`, and of `facts`.
  public func lookup(facts: Value? = nil) -> SettingsLookup {
    SettingsLookup(self, facts: facts)
  }

  /// How many paths someone reads or read lately, with those above them.
  public var observedPaths: Int {
    nodeCount = root.sweep()
    return nodeCount
  }

  /// The node of everything; nil where reads are not recorded for a memo or observer.
  ///
  /// This is where what nobody reads is dropped: further down, the nodes above were passed and may not
  /// be read yet.
  var rootNode: StoreNode? {
    guard Dependency.isTracking else {
      readEverything()
      return nil
    }
    if nodeCount > sweepCount { sweepCount = max(64, observedPaths * 2) }
    return root
  }

  /// The node of a step below `node`; nil where reads are not recorded for a memo or observer.
  ///
  /// A stock observer, for which there are no nodes, depends on everything.
  func child(_ step: Value, of node: StoreNode?) -> StoreNode? {
    guard Dependency.isTracking, let node else {
      readEverything()
      return nil
    }
    return node.child(step) { nodeCount += 1 }
  }

  private func node(at path: Path) -> StoreNode? {
    var node = rootNode
    for component in path.components {
      switch component {
      case .key(let key): node = child(.string(key), of: node)
      case .index(let position): node = child(.int(Int64(position)), of: node)
      }
    }
    return node
  }

  /// Records a read by a stock observer; nothing where there is none.
  func readEverything() { root.read(.whole) }
}
