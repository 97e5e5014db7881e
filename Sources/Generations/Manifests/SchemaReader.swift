import SettledSettings
import SettledValues
public import SettledYAML

/// The schema that the manifest names.
public struct SchemaRule: Sendable {
  /// The file, as the manifest writes it.
  public var path: String
  /// Whether `format` is asserted.
  public var assertsFormats = true
  /// The schemas that may be applied in one pass, nil for the default.
  public var steps: Int?
  /// How deep schemas may be applied inside of each other, nil for the default.
  public var depth: Int?
  /// Where the manifest says so.
  public var node: YAMLNode
}

extension ManifestReader {
  /// Reads `schema:`: the path of a file, or a map with the path and how the schema is taken.
  mutating func schema(_ node: YAMLNode) -> SchemaRule? {
    if node.kind == .scalar, !node.isNull, !node.text.isEmpty {
      return SchemaRule(path: node.text, node: node)
    }
    guard let fields = Fields(node), let file = fields["file"], let path = fields.text("file")
    else { return nil }
    var rule = SchemaRule(path: path, node: file)
    rule.assertsFormats = fields.flag("formats") ?? true
    rule.steps = fields.integer("steps")
    rule.depth = fields.integer("depth")
    return rule
  }
}

extension SchemaRule {
  /// The limits that the schema is compiled with.
  var limits: SchemaLimits {
    var limits = SchemaLimits()
    limits.assertsFormats = assertsFormats
    limits.steps = steps ?? limits.steps
    limits.depth = depth ?? limits.depth
    return limits
  }
}
