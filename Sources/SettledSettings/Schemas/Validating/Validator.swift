internal import SettledPatterns
internal import SettledValues

/// Applies a schema to a tree of values.
///
/// It stops at the first violation, unless it collects: then it goes on to find all.
struct Validator<Tree: Instances> {
  let view: SchemaView
  let tree: Tree
  let limits: SchemaLimits
  var isCollecting = false
  var violations: [RawViolation<Tree.Node>] = []
  /// The limit that ended the work, by its name.
  private(set) var exceeded: String?
  /// Whether what is applied must hold, whatever else the tree has.
  var isSure = true
  /// Whether plain scalars may be read as text for a schema that is only tried.
  var isLenient = false
  /// The way to the value, while violations are collected.
  var path: [Path.Component] = []
  /// Sets of bits: which entries or elements were evaluated.
  var marks: [UInt64] = []
  /// The memory for searches, from whom validated before.
  var scratch: PatternScratch?
  private var steps = 0
  private var depth = 0

  init(_ view: SchemaView, _ tree: Tree, _ limits: SchemaLimits) {
    self.view = view
    self.tree = tree
    self.limits = limits
  }

  /// Applies a schema to a value that it meets as an entry, an element, or the root.
  mutating func apply(_ schema: Int32, to node: Tree.Node) -> Bool {
    let rules = view.nodes[Int(schema)]
    if rules.flags.contains(.isAlways) { return true }
    let type =
      isSure || isLenient
      ? tree.type(of: node, asked: rules.asked, isSure: isSure) : tree.type(of: node)
    return check(node, type, schema, noMarks)
  }

  /// Checks all that a schema asks of a value whose type is settled; `marks` is the set that notes
  /// what is evaluated, or `noMarks`.
  mutating func check(
    _ node: Tree.Node, _ type: JSONTypes, _ schema: Int32, _ marks: Int
  ) -> Bool {
    let rules = view.nodes[Int(schema)]
    steps += 1
    guard steps <= limits.steps, depth < limits.depth else { return stop() }
    if rules.flags.contains(.isNever) { return fail(.never, schema, node) }
    guard rules.types.contains(type) else { return fail(.type, schema, node) }
    depth += 1
    defer { depth -= 1 }
    var isValid = rules.constants < 0 || checkConstants(node, type, schema)
    guard isValid || isCollecting else { return false }
    switch type {
    case .integer, .fraction:
      if rules.number >= 0 { isValid = checkNumber(node, schema) && isValid }
    case .string:
      if rules.text >= 0 { isValid = checkText(tree.text(of: node), node, schema) && isValid }
    case .list:
      if rules.list >= 0 || rules.inPlace >= 0 {
        return checkContainer(node, type, schema, marks) && isValid
      }
    case .map:
      if rules.map >= 0 || rules.inPlace >= 0 {
        return checkContainer(node, type, schema, marks) && isValid
      }
    default: break
    }
    guard rules.inPlace >= 0, isValid || isCollecting else { return isValid }
    return checkInPlace(node, type, schema, noMarks) && isValid
  }

  /// Checks a map or list, with what is evaluated of it where that matters.
  private mutating func checkContainer(
    _ node: Tree.Node, _ type: JSONTypes, _ schema: Int32, _ outer: Int
  ) -> Bool {
    let rules = view.nodes[Int(schema)]
    let unevaluated =
      type == .map
      ? (rules.map >= 0 ? view.maps[Int(rules.map)].unevaluated : SchemaNode.none)
      : (rules.list >= 0 ? view.lists[Int(rules.list)].unevaluated : SchemaNode.none)
    guard unevaluated >= 0 else { return checkParts(node, type, schema, outer) }
    let count = tree.count(of: node)
    let own = openMarks(count)
    defer { closeMarks(own, count, into: outer) }
    var isValid = checkParts(node, type, schema, own)
    guard isValid || isCollecting else { return false }
    isValid = checkUnevaluated(node, type, unevaluated, schema, own) && isValid
    return isValid
  }

  private mutating func checkParts(
    _ node: Tree.Node, _ type: JSONTypes, _ schema: Int32, _ marks: Int
  ) -> Bool {
    let rules = view.nodes[Int(schema)]
    var isValid = true
    if type == .map, rules.map >= 0 {
      isValid = checkMap(node, schema, marks)
    } else if type == .list, rules.list >= 0 {
      isValid = checkList(node, schema, marks)
    }
    guard rules.inPlace >= 0, isValid || isCollecting else { return isValid }
    return checkInPlace(node, type, schema, marks) && isValid
  }

  private mutating func checkUnevaluated(
    _ node: Tree.Node, _ type: JSONTypes, _ unevaluated: Int32, _ schema: Int32, _ marks: Int
  ) -> Bool {
    var isValid = true
    var cursor = tree.children(of: node)
    var position = 0
    while let child = tree.next(&cursor) {
      defer { position += 1 }
      guard !isMarked(marks, position) else { continue }
      mark(marks, position)
      isValid = applyOrClose(unevaluated, schema, child, position, type) && isValid
      guard isValid || isCollecting else { return false }
    }
    return isValid
  }

  /// Applies a schema to an entry or element; `false` says that it is not known.
  mutating func applyOrClose(
    _ schema: Int32, _ parent: Int32, _ child: InstanceChild<Tree.Node>, _ position: Int,
    _ type: JSONTypes
  ) -> Bool {
    step(into: child, position, type)
    defer { stepOut() }
    if view.nodes[Int(schema)].flags.contains(.isNever) {
      return fail(.unknown, parent, child.node)
    }
    return apply(schema, to: child.node)
  }

  /// Notes a violation where violations are collected.
  ///
  /// - Returns: `false`.
  mutating func fail(
    _ rule: Rule, _ schema: Int32, _ node: Tree.Node
  ) -> Bool {
    if isCollecting, exceeded == nil, violations.count <= limits.violations {
      violations.append(
        RawViolation(rule: rule, schema: schema, node: node, path: Path(path)))
    }
    return false
  }

  private mutating func stop() -> Bool {
    exceeded = exceeded ?? (steps > limits.steps ? "schema.steps" : "schema.depth")
    return false
  }

  /// What was done so far, counted in schemas.
  var work: Int { steps }

  /// The memory for searches, kept from one to the next.
  mutating func searchMemory() -> PatternScratch {
    if let scratch { return scratch }
    let memory = PatternScratch()
    scratch = memory
    return memory
  }

  mutating func exceedPattern(_ schema: Int32, _ node: Tree.Node) {
    _ = fail(.patternLimit, schema, node)
    exceeded = exceeded ?? "pattern"
  }

  /// Counts the work of a pattern.
  mutating func charge(_ work: Int) {
    steps += work <= 1000 ? 1 : work
  }

  mutating func step(into child: InstanceChild<Tree.Node>, _ position: Int, _ type: JSONTypes) {
    guard isCollecting else { return }
    path.append(
      type == .map ? .key(String(decoding: child.key, as: UTF8.self)) : .index(position))
  }

  mutating func stepOut() {
    if isCollecting { path.removeLast() }
  }

  /// Applies `body` without collecting what it finds.
  mutating func trying<Answer>(_ body: (inout Self) -> Answer) -> Answer {
    let outer = (isCollecting, isSure)
    (isCollecting, isSure) = (false, false)
    defer { (isCollecting, isSure) = outer }
    return body(&self)
  }
}
