public import SettledValues

/// An expression in CEL (google/cel-spec), compiled once and evaluated any number of times.
public struct Expression: Sendable {
  /// The text it was made of.
  public let source: String
  /// The free names it uses, in the order they stand in the source.
  public let roots: [Root]
  private let root: any Node
  private let slotCount: Int
  private let limits: ExpressionLimits

  /// Compiles an expression.
  ///
  /// - Throws: an error that points at what is wrong in `source`.
  public init(
    _ source: String, limits: ExpressionLimits = .default,
    dialect: ExpressionDialect = .settings
  ) throws(ExpressionError) {
    let lexer = Lexer(Array(source.utf8))
    let (syntax, _) = try Parser.expression(lexer, limits: limits)
    var compiler = Compiler(dialect: dialect, limits: limits, scope: Scope())
    root = try compiler.compile(syntax)
    roots = compiler.roots
    slotCount = compiler.scope.slotCount
    self.source = source
    self.limits = limits
  }

  /// Evaluates the expression over what `lookup` finds.
  ///
  /// - Throws: an error that points into ``source`` and names the setting that caused it, where
  ///   that is known.
  public func evaluate(_ lookup: any Lookup) throws(ExpressionError) -> Value {
    var frame = Frame(lookup, slotCount: slotCount, limits: limits)
    do {
      let value = try root.value(&frame)
      try frame.checkSize(of: value)
      return value
    } catch {
      throw error.error(&frame)
    }
  }
}
