public import SettledObserving
public import SettledValues

/// Looks settings up in a store, and counts what is secret among what was read.
///
/// It finds every top-level setting by its name, all of them as `settings`, and `facts`.
@ObservingActor
public final class SettingsLookup: Lookup {
  /// How many reads gave something secret so far: compare it before and after an evaluation.
  public private(set) var secretReads = 0
  let store: SettingsStore
  private let facts: Value?

  init(_ store: SettingsStore, facts: Value?) {
    self.store = store
    self.facts = facts
  }

  /// Finds what `name` stands for, or nil where there is no such setting.
  public func lookUp(_ name: String) -> Found? {
    if let facts, name.hasSameBytes(as: "facts") { return .value(facts) }
    let root = store.settings.root
    if name.hasSameBytes(as: "settings") {
      return found(root, store.rootNode) ?? .value([:])
    }
    return found(root?.member(name), store.child(.string(name), of: store.rootNode))
  }

  /// What a node is for a reader, who then depends on the leaf, or on the shape of what is none.
  func found(_ node: SettingsNode?, _ place: StoreNode?) -> Found? {
    place?.read(.leaf)
    guard let node else { return nil }
    let kind = node.kind
    guard kind == .scalar else {
      return .container(SettingsCursor(self, node, place, isList: kind == .list))
    }
    if node.isSecret { secretReads += 1 }
    return .value(node.scalar)
  }

  func noteSecret(_ isSecret: Bool) {
    if isSecret { secretReads += 1 }
  }
}

/// A map or list in the store, read on demand.
@ObservingActor
struct SettingsCursor: Container {
  private let lookup: SettingsLookup
  private let node: SettingsNode
  /// Nil where reads are not recorded.
  private let place: StoreNode?
  let isList: Bool

  init(_ lookup: SettingsLookup, _ node: SettingsNode, _ place: StoreNode?, isList: Bool) {
    self.lookup = lookup
    self.node = node
    self.place = place
    self.isList = isList
  }

  var count: Int {
    readKeys()
    return node.count
  }

  var keys: [String] {
    readKeys()
    return isList ? [] : node.entries.map(\.key)
  }

  func hasMember(_ key: String) -> Bool {
    readKeys()
    return node.member(key) != nil
  }

  func member(_ key: String) -> Found? {
    // Whether there is such an entry is told by the keys.
    lookup.noteSecret(node.hasSecretKeys)
    return lookup.found(node.member(key), lookup.store.child(.string(key), of: place))
  }

  func element(_ position: Int) -> Found? {
    lookup.noteSecret(node.hasSecretKeys)
    return lookup.found(
      node.element(position), lookup.store.child(.int(Int64(position)), of: place))
  }

  func whole() -> Value {
    read(.whole)
    lookup.noteSecret(node.holdsSecret)
    return node.value
  }

  private func readKeys() {
    read(.keySet)
    lookup.noteSecret(node.hasSecretKeys)
  }

  private func read(_ aspect: StoreNode.Aspect) {
    if let place { place.read(aspect) } else { lookup.store.readEverything() }
  }
}
