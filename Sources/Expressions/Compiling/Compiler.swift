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
  /// How deep the value of what was compiled last nests lists and maps that are built, at most.
  ///
  /// Values are gone through recursively, and names let them grow without the source being deep.
  var depth = 0
  private let limits: ExpressionLimits
  private var nodeCount = 0

  init(dialect: ExpressionDialect, limits: ExpressionLimits, scope: Scope) {
    self.dialect = dialect
    self.limits = limits
    self.scope = scope
  }

  mutating func compile(_ syntax: Syntax) throws(ExpressionError) -> any Node {
    nodeCount += 1
    depth = 0
    let node = try node(syntax)
    guard depth <= limits.valueDepth else {
      throw ExpressionError(
        .limit, "the value is nested deeper than \(limits.valueDepth) levels",
        at: syntax.range.offsets)
    }
    return node
  }

  private mutating func node(_ syntax: Syntax) throws(ExpressionError) -> any Node {
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
      return arithmetic(try compile(first), try compileTerms(terms), at: range)
    case .comparison(let first, let terms):
      return try compileComparisons(first, terms)
    case .and(let operands):
      return LogicNode(try compileAll(operands), decisive: false, at: range)
    case .or(let operands): return LogicNode(try compileAll(operands), decisive: true, at: range)
    case .conditional(let branches, let last):
      return try compileConditional(branches, last, at: range)
    }
  }

  private mutating func compileConditional(
    _ branches: [(condition: Syntax, result: Syntax)], _ last: Syntax, at range: SourceRange
  ) throws(ExpressionError) -> any Node {
    let conditions = try compileAll(branches.map(\.condition))
    let results = try compileAll(branches.map(\.result) + [last])
    return ConditionalNode(
      Array(zip(conditions, results)), results[results.count - 1], at: range)
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
    var deepest = 0
    for part in parts {
      nodes.append(try compile(part))
      deepest = max(deepest, depth)
    }
    depth = deepest
    return nodes
  }

  private func arithmetic(
    _ first: any Node, _ terms: [ArithmeticNode.Term], at range: SourceRange
  ) -> any Node {
    terms.count == 1
      ? BinaryNode(first, terms[0], at: range) : ArithmeticNode(first, terms, at: range)
  }

  /// Comparisons in a row compare the truth of those before.
  private mutating func compileComparisons(
    _ first: Syntax, _ terms: [Syntax.Term]
  ) throws(ExpressionError) -> any Node {
    var node = try compile(first)
    for term in try compileTerms(terms) {
      let range = first.range.through(term.operand.range)
      node =
        term.symbol == .contained
        ? ContainmentNode(node, in: term.operand, at: range)
        : ComparisonNode(node, term, at: range)
    }
    return node
  }

  private mutating func compileTerms(
    _ terms: [Syntax.Term]
  ) throws(ExpressionError) -> [ArithmeticNode.Term] {
    let first = depth
    let operands = try compileAll(terms.map(\.operand))
    depth = max(first, depth)
    return zip(terms, operands).map { term, operand in
      ArithmeticNode.Term(symbol: term.symbol, operand: operand, range: term.symbolRange)
    }
  }

  private mutating func compileList(
    _ elements: [Syntax.Element], at range: SourceRange
  ) throws(ExpressionError) -> any Node {
    let nodes = zip(try compileAll(elements.map(\.value)), elements).map { node, element in
      (node: node, isOptional: element.isOptional)
    }
    depth += 1
    let constants = nodes.compactMap { $0.isOptional ? nil : $0.node.constant }
    guard constants.count < nodes.count || nodes.isEmpty else {
      return ConstantNode(.list(constants), at: range)
    }
    return ListNode(nodes, at: range)
  }

  mutating func compileMap(
    _ entries: [Syntax.Entry], at range: SourceRange
  ) throws(ExpressionError) -> MapNode {
    let keys = try compileAll(entries.map(\.key))
    let values = try compileAll(entries.map(\.value))
    depth += 1
    return MapNode(
      entries.indices.map {
        MapNode.Entry(key: keys[$0], value: values[$0], isOptional: entries[$0].isOptional)
      }, at: range)
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
    let baseDepth = depth
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
    depth = baseDepth
    return AccessNode(node, compiled, at: range)
  }
}
