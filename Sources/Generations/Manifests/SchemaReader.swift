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
    let known = ["file", "formats", "steps", "depth"]
    guard let fields = Fields(node, of: "'schema'", known: known, findings: &findings) else {
      return nil
    }
    guard let file = fields["file"] else {
      findings.append(node.fault("'schema' has no 'file'", hint: "write 'schema: FILE'"))
      return nil
    }
    guard let path = fields.text("file", findings: &findings) else { return nil }
    var rule = SchemaRule(path: path, node: file)
    if let node = fields["formats"] { rule.assertsFormats = read(node.bool) ?? true }
    rule.steps = fields["steps"].flatMap { limit($0, "steps") }
    rule.depth = fields["depth"].flatMap { limit($0, "depth") }
    return rule
  }

  private mutating func limit(_ node: YAMLNode, _ name: String) -> Int? {
    guard let number = read(node.int) else { return nil }
    guard number > 0, let number = Int(exactly: number) else {
      findings.append(node.fault("'\(name)' must be at least 1"))
      return nil
    }
    return number
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
