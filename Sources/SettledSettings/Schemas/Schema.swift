internal import SettledPatterns
public import SettledValues
public import SettledYAML
internal import Synchronization

/// A JSON Schema of the dialect 2020-12, compiled once.
///
/// It knows the vocabularies of core (with local `$ref`, `$defs` and `$anchor`), applicators,
/// unevaluated locations, validation, annotations, and formats as assertions.
public final class Schema: Sendable {
  /// What was taken, but is likely not what was meant.
  public let warnings: [Diagnostic]

  /// The document it was read from.
  package let document: YAMLDocument
  /// What is held against it, as messages name the whole.
  let subject: SchemaSubject
  let tables: SchemaTables
  package let limits: SchemaLimits
  /// The memory for searches, for who validates next.
  private let spare = Mutex<PatternScratch?>(nil)

  /// Compiles a schema.
  ///
  /// - Parameters:
  ///   - node: The schema: a map, or a truth value. References lead to other parts of it.
  ///   - limits: How much work it may cause.
  /// - Throws: All that is wrong with it, each at its place.
  public convenience init(_ node: YAMLNode, limits: SchemaLimits = .default) throws(Refusal) {
    try self.init(node, limits: limits, of: .settings)
  }

  private init(
    _ node: YAMLNode, limits: SchemaLimits, of subject: SchemaSubject
  ) throws(Refusal) {
    var compiler = SchemaCompiler(root: node, limits: limits)
    compiler.compile()
    guard compiler.faults.isEmpty else { throw Refusal(compiler.faults) }
    tables = compiler.tables
    warnings = compiler.warnings
    document = node.document
    self.subject = subject
    self.limits = limits
  }

  /// Tells whether a tree keeps the schema, and lets `prepare` look at it before.
  func accepts<Tree: Instances>(
    _ root: Tree.Node, in tree: Tree, prepare: (inout Validator<Tree>) -> Void = { _ in }
  ) -> Bool {
    tables.withView { view in
      var validator = Validator(view, tree, limits)
      validator.scratch = spare.withLock { $0.take() }
      prepare(&validator)
      let isKept = validator.apply(tables.root, to: root) && validator.exceeded == nil
      if let scratch = validator.scratch { spare.withLock { $0 = scratch } }
      return isKept
    }
  }

  /// Compiles the schema that is the whole of a document.
  ///
  /// - Throws: All that is wrong with it, each at its place.
  public convenience init(
    _ document: YAMLDocument, limits: SchemaLimits = .default
  ) throws(Refusal) {
    try self.init(document, limits: limits, of: .settings)
  }

  /// Compiles the schema that is the whole of a document, of something that is no settings.
  package convenience init(
    _ document: YAMLDocument, limits: SchemaLimits = .default, of subject: SchemaSubject
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
    try self.init(root, limits: limits, of: subject)
  }
}

/// What is held against a schema, as messages name the whole of it.
package struct SchemaSubject: Sendable {
  /// Settings.
  static let settings = SchemaSubject("the settings", has: "have", needs: "need")

  let name: String
  let has: String
  let needs: String

  /// Creates a subject with its verbs.
  package init(_ name: String, has: String, needs: String) {
    self.name = name
    self.has = has
    self.needs = needs
  }
}
