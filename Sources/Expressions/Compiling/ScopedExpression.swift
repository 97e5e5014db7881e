package import SettledValues

/// An expression in a larger text, with local names it shares with others.
package final class ScopedExpression: Sendable {
  /// Where it stands in the text.
  package let range: SourceRange
  /// The free names it uses.
  package let roots: [Root]
  /// The slots of the local names it reads.
  package let slotsRead: Set<Int>
  /// The depth to which it nests the lists and maps of its value, at most.
  package let depth: Int
  private let root: any Node

  private init(_ root: any Node, _ compiler: Compiler, at range: SourceRange) {
    self.root = root
    self.range = range
    roots = compiler.roots
    slotsRead = compiler.slotsRead
    depth = compiler.depth
  }

  /// Reads an expression of a template from `position` on; gives it with the position after it.
  ///
  /// The slots its macros take are added to `scope`.
  package static func read(
    _ bytes: [UInt8], from position: Int, scope: inout Scope, limits: ExpressionLimits
  ) throws(ExpressionError) -> (expression: ScopedExpression, end: Int) {
    let lexer = Lexer(bytes, from: position, isInTemplate: true)
    let (syntax, end) = try Parser.expression(lexer, limits: limits)
    var compiler = Compiler(dialect: .settings, limits: limits, scope: scope)
    let root = try compiler.compile(syntax)
    scope = compiler.scope
    return (ScopedExpression(root, compiler, at: syntax.range), end)
  }

  /// Its value, whole.
  package func value(_ frame: inout Frame) throws(Failure) -> Value {
    try root.value(&frame)
  }

  /// Its value, or a map or list that is read on demand.
  package func operand(_ frame: inout Frame) throws(Failure) -> Operand {
    try root.operand(&frame)
  }

  /// The truth of a condition.
  package func truth(_ frame: inout Frame) throws(Failure) -> Bool {
    try root.truth(&frame)
  }

  /// Its value, where that is always the same.
  package var constant: Value? { root.constant }

  /// The path of the setting it reads, where it is nothing else.
  package var path: Path? { root.path }

  /// How messages call it, where it is a name or a path.
  package var spelling: String? { root.spelling }
}
