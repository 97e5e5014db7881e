import SettledPatterns
import SettledValues

/// Makes nodes of syntax: resolves names and calls, and works out what is constant.
package struct Compiler {
  let dialect: ExpressionDialect
  var scope: Scope
  /// The free names found so far.
  var roots: [Root] = []
  /// The slots of local names that were read.
  var slotsRead: Set<Int> = []
  private var nodeCount = 0

  init(dialect: ExpressionDialect, scope: Scope) {
    self.dialect = dialect
    self.scope = scope
  }

  mutating func compile(_ syntax: Syntax) throws(ExpressionError) -> any Node {
    nodeCount += 1
    let range = syntax.range
    switch syntax.kind {
    case .literal(let value): return ConstantNode(value, at: range)
    case .name(let name, let isAbsolute):
      return resolve(name, isAbsolute: isAbsolute, steps: [], at: range).node
    case .access(let base, let steps): return try compileAccess(base, steps, at: range)
    case .call(let call): return try compileCall(call, at: range)
    case .list(let elements): return try compileList(elements, at: range)
    case .map(let entries): return try compileMap(entries, at: range)
    case .not(let operand): return NotNode(try compile(operand), at: range)
    case .negation(let operand): return NegationNode(try compile(operand), at: range)
    case .arithmetic(let first, let terms):
      return ArithmeticNode(try compile(first), try compileTerms(terms), at: range)
    case .comparison(let first, let terms):
      return ComparisonNode(try compile(first), try compileTerms(terms), at: range)
    case .and(let operands):
      return LogicNode(try compileAll(operands), decisive: false, at: range)
    case .or(let operands): return LogicNode(try compileAll(operands), decisive: true, at: range)
    case .conditional(let branches, let last):
      var compiled: [(condition: any Node, result: any Node)] = []
      for branch in branches {
        compiled.append((try compile(branch.condition), try compile(branch.result)))
      }
      return ConditionalNode(compiled, try compile(last), at: range)
    }
  }

  /// Compiles what is evaluated once a turn; gives it with the number of its nodes.
  mutating func weighed(
    _ body: (inout Compiler) throws(ExpressionError) -> [any Node]
  ) throws(ExpressionError) -> (nodes: [any Node], weight: Int) {
    let before = nodeCount
    let nodes = try body(&self)
    return (nodes, 1 + nodeCount - before)
  }

  mutating func compileAll(_ parts: [Syntax]) throws(ExpressionError) -> [any Node] {
    var nodes: [any Node] = []
    for part in parts { nodes.append(try compile(part)) }
    return nodes
  }

  private mutating func compileTerms(
    _ terms: [Syntax.Term]
  ) throws(ExpressionError) -> [ArithmeticNode.Term] {
    var compiled: [ArithmeticNode.Term] = []
    for term in terms {
      compiled.append(
        ArithmeticNode.Term(
          symbol: term.symbol, operand: try compile(term.operand), range: term.symbolRange))
    }
    return compiled
  }

  private mutating func compileList(
    _ elements: [Syntax.Element], at range: SourceRange
  ) throws(ExpressionError) -> any Node {
    var nodes: [(node: any Node, isOptional: Bool)] = []
    for element in elements { nodes.append((try compile(element.value), element.isOptional)) }
    let constants = nodes.compactMap { $0.isOptional ? nil : $0.node.constant }
    guard constants.count < nodes.count || nodes.isEmpty else {
      return ConstantNode(.list(constants), at: range)
    }
    return ListNode(nodes, at: range)
  }

  mutating func compileMap(
    _ entries: [Syntax.Entry], at range: SourceRange
  ) throws(ExpressionError) -> MapNode {
    var compiled: [MapNode.Entry] = []
    for entry in entries {
      compiled.append(
        MapNode.Entry(
          key: try compile(entry.key), value: try compile(entry.value),
          isOptional: entry.isOptional))
    }
    return MapNode(compiled, at: range)
  }

  private mutating func compileAccess(
    _ base: Syntax, _ steps: [Syntax.Step], at range: SourceRange
  ) throws(ExpressionError) -> any Node {
    var rest = steps[...]
    let node: any Node
    if case .name(let name, let isAbsolute) = base.kind {
      let resolved = resolve(name, isAbsolute: isAbsolute, steps: steps, at: base.range)
      node = resolved.node
      rest = steps.dropFirst(resolved.consumed)
    } else {
      node = try compile(base)
    }
    guard !rest.isEmpty else { return node }
    var compiled: [AccessNode.Step] = []
    for step in rest {
      nodeCount += 1
      let kind: AccessNode.Step.Kind
      switch step.kind {
      case .member(let name): kind = .member(name)
      case .index(let index): kind = .index(try compile(index))
      }
      compiled.append(
        AccessNode.Step(kind: kind, isOptional: step.isOptional, range: step.range))
    }
    return AccessNode(node, compiled, at: range)
  }
}
