import SettledValues
public import SettledYAML

/// What the manifest says of the daemon itself.
public struct DaemonRule: Sendable, Hashable {
  /// How long nothing may move before inputs are looked at.
  public var quiet: Duration = .zero
  /// What the layers may ask of their reader.
  public var limits = YAMLLimits()
}

extension ManifestReader {
  private static let limits:
    [(name: String, limit: any WritableKeyPath<YAMLLimits, Int> & Sendable)] =
      [
        ("file_size", \.fileSize), ("depth", \.depth), ("scalar_size", \.scalarSize),
        ("key_length", \.keyLength), ("expanded_nodes", \.expandedNodes),
        ("expansion_factor", \.expansionFactor), ("findings", \.findings),
      ]
  private static let sizes = ["file_size", "scalar_size"]

  /// Reads `daemon:`.
  mutating func daemon(_ node: YAMLNode) -> DaemonRule {
    var rule = DaemonRule()
    let known = ["quiet", "limits"]
    guard let fields = Fields(node, of: "'daemon'", known: known, findings: &findings) else {
      return rule
    }
    if let node = fields["quiet"] { rule.quiet = read(node.duration) ?? .zero }
    if let node = fields["limits"] { readLimits(&rule, node) }
    return rule
  }

  private mutating func readLimits(_ rule: inout DaemonRule, _ node: YAMLNode) {
    let known = Self.limits.map(\.name)
    guard let fields = Fields(node, of: "'limits'", known: known, findings: &findings) else {
      return
    }
    for (name, limit) in Self.limits {
      guard let node = fields[name] else { continue }
      let number = Self.sizes.contains(name) ? read(node.byteCount) : read(node.int)
      guard let number else { continue }
      guard number > 0, let number = Int(exactly: number) else {
        findings.append(node.fault("'\(name)' must be at least 1"))
        continue
      }
      rule.limits[keyPath: limit] = number
    }
  }
}
