internal import SettledValues
internal import SettledYAML

/// What is secret in a tree beside the values of secret layers: all that is at some paths or below.
///
/// A node that an alias leads to is secret by whatever way it is reached.
final class SecretMarks: Sendable {
  let paths: [Path]
  private let nodes: Set<NodeReference>

  init(_ paths: [Path], in settings: Settings) {
    self.paths = paths
    var nodes: Set<NodeReference> = []
    for path in paths { settings.node(at: path)?.collect(into: &nodes) }
    self.nodes = nodes
  }

  func contains(_ node: NodeReference) -> Bool { nodes.contains(node) }

  /// Whether something at a path, above or below it, is marked in any layer.
  func touches(_ path: Path) -> Bool {
    paths.contains { marked in
      zip(marked.components, path.components).allSatisfy(==)
    }
  }
}

extension SettingsNode {
  /// Adds the node and all below it.
  fileprivate func collect(into nodes: inout Set<NodeReference>) {
    guard nodes.insert(reference).inserted, kind != .scalar else { return }
    for child in Children(self) { child.node.collect(into: &nodes) }
  }

  /// Whether its own text is secret: it comes from a secret layer, or lies at a marked path.
  var isSecret: Bool { isMarked || (!reference.isMerged && document.isSecret) }

  /// Whether it or anything below it is secret.
  var holdsSecret: Bool {
    guard tree.hasSecrets else { return false }
    if isSecret || hasSecretKeys { return true }
    guard reference.isMerged || tree.marks != nil, kind != .scalar else { return false }
    return Children(self).contains { $0.node.holdsSecret }
  }

  /// Whether the keys of a map, or the number of elements of a list, are secret: they come from a
  /// secret layer's text, which the maps around a mounted layer do not.
  var hasSecretKeys: Bool {
    guard tree.hasSecrets else { return false }
    if isMarked { return true }
    if reference.isMerged { return sources.contains { $0.hasSecretKeys } }
    return isSecret && document.isWritten(reference.index)
  }

  /// The value with `mask` in the place of each secret.
  func shown(_ mask: Value) -> Value {
    if kind != .scalar, hasSecretKeys { return mask }
    switch kind {
    case .scalar: return isSecret ? mask : value
    case .list: return .list(elements.map { $0.shown(mask) })
    case .map: return .map(ValueMap(entries.map { (.string($0.key), $0.node.shown(mask)) }))
    }
  }

  /// Adds the texts of all secret scalars.
  func collectSecretTexts(into texts: inout [String]) {
    switch kind {
    case .scalar: if isSecret { texts.append(value.text ?? "") }
    case .list, .map: for child in Children(self) { child.node.collectSecretTexts(into: &texts) }
    }
  }

  private var isMarked: Bool { tree.marks?.contains(reference) ?? false }
}
