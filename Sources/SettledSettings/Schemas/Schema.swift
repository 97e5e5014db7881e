public import SettledValues
public import SettledYAML

/// A JSON Schema of the dialect 2020-12, compiled once.
///
/// It knows the vocabularies of core (with local `$ref`, `$defs` and `$anchor`), applicators,
/// unevaluated locations, validation, annotations, and formats as assertions.
public final class Schema: Sendable {
  /// What was taken, but is likely not what was meant.
  public let warnings: [Diagnostic]

  /// The document it was read from.
  package let document: YAMLDocument
  let tables: SchemaTables
  package let limits: SchemaLimits

  /// Compiles a schema.
  ///
  /// - Parameters:
  ///   - node: The schema: a map, or a truth value. References lead to other parts of it.
  ///   - limits: How much work it may cause.
  /// - Throws: All that is wrong with it, each at its place.
  public init(_ node: YAMLNode, limits: SchemaLimits = .default) throws(Refusal) {
    var compiler = SchemaCompiler(root: node, limits: limits)
    compiler.compile()
    guard compiler.faults.isEmpty else { throw Refusal(compiler.faults) }
    tables = compiler.tables
    warnings = compiler.warnings
    document = node.document
    self.limits = limits
  }

  /// Compiles the schema that is the whole of a document.
  ///
  /// - Throws: All that is wrong with it, each at its place.
  public convenience init(
    _ document: YAMLDocument, limits: SchemaLimits = .default
  ) throws(Refusal) {
    guard let root = document.root else {
      throw Refusal([
        Diagnostic(
          .error, "the schema is empty", at: Place(file: document.file),
          hint: "write {} for a schema that takes everything")
      ])
    }
    let missing = document.missingValues()
    guard missing.isEmpty else { throw Refusal(missing) }
    try self.init(root, limits: limits)
  }
}
