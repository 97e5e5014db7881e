import SettledValues

/// A call that the compiler expands, since it binds a name or reads no value of its argument.
package struct Macro: Sendable {
  let expand: @Sendable (inout Compiler, MacroCall) throws(ExpressionError) -> any Node
}

/// The parts of a macro's call.
struct MacroCall {
  let name: String
  let target: Syntax?
  let arguments: [Syntax]
  let range: SourceRange

  init(_ call: Syntax.Call, at range: SourceRange) {
    name = call.name
    target = call.target
    arguments = call.arguments
    self.range = range
  }

  /// The argument at `position`, which must be a plain name: the variable it binds.
  func variable(_ position: Int) throws(ExpressionError) -> String {
    guard let name = arguments[position].simpleName else {
      throw fault("the variable of '\(name)' must be a plain name", at: arguments[position].range)
    }
    return name
  }

  func fault(_ message: String, at range: SourceRange? = nil) -> ExpressionError {
    ExpressionError(.syntax, message, at: (range ?? self.range).offsets)
  }

  /// What stands before the dot.
  func receiver() throws(ExpressionError) -> Syntax {
    guard let target else { throw fault("'\(name)' is called on a value") }
    return target
  }
}

extension Compiler {
  /// Compiles a macro over a list or map with `variableCount` variables; `body` makes its node
  /// from the loop and the compiled arguments after the variables.
  mutating func compileLoop(
    _ call: MacroCall, variableCount: Int, _ body: (Loop, [any Node]) -> any Node
  ) throws(ExpressionError) -> any Node {
    let source = try compile(try call.receiver())
    let outer = scope.depth
    let sourceDepth = depth
    let first = try call.variable(0)
    let firstSlot = scope.add(first, depth: sourceDepth)
    var secondSlot: Int?
    if variableCount == 2 {
      let second = try call.variable(1)
      guard !second.hasSameBytes(as: first) else {
        throw call.fault("the two variables have one name", at: call.arguments[1].range)
      }
      secondSlot = scope.add(second, depth: sourceDepth)
    }
    let parts = Array(call.arguments[variableCount...])
    let (nodes, weight) = try weighed { compiler throws(ExpressionError) in
      try compiler.compileAll(parts)
    }
    scope.leave(to: outer)
    depth += 1
    let loop = Loop(
      source: source, firstSlot: firstSlot, secondSlot: secondSlot, weight: weight,
      name: call.name)
    return body(loop, nodes)
  }

  /// Compiles `result` with the name `variable` for what was compiled last.
  mutating func compileBinding(
    _ variable: String, _ result: Syntax
  ) throws(ExpressionError) -> (slot: Int, result: any Node) {
    let outer = scope.depth
    let slot = scope.add(variable, depth: depth)
    let node = try compile(result)
    scope.leave(to: outer)
    return (slot, node)
  }
}
