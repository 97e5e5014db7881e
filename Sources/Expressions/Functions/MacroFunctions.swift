import SettledValues

/// The macros: `has`, those over lists and maps, and `cel.bind`; and `size`.
let macroFunctions: [Function] = [
  Function(
    "size", .either, 0...0, "value.size() -> int",
    "Gives the number of code points, bytes, elements or entries.",
    ["size('Zürich')": "6", "[1, 2].size()": "2"], .reading(sizeOf)),
  Function(
    "has", .free, 1...1, "has(map.key) -> bool", "Tells whether a map has a key.",
    ["has({'a': 1}.a)": "true", "has({'a': 1}.b)": "false"], .macro(hasMacro)),
  Function(
    "all", .receiver, 2...3, "list.all(x, condition) -> bool, map.all(key, value, condition)",
    "Tells whether a condition holds for every element or key.",
    ["[1, 2].all(x, x > 0)": "true", "{'a': 1}.all(k, v, v > 1)": "false"],
    .macro(quantifierMacro(decisive: false))),
  Function(
    "exists", .receiver, 2...3,
    "list.exists(x, condition) -> bool, map.exists(key, value, condition)",
    "Tells whether a condition holds for any element or key.",
    ["[1, 2].exists(x, x > 1)": "true", "{'a': 1}.exists(k, v, v > 1)": "false"],
    .macro(quantifierMacro(decisive: true))),
  Function(
    "exists_one", .receiver, 2...3, "list.exists_one(x, condition) -> bool",
    "Tells whether a condition holds for exactly one element or key.",
    ["[1, 2].exists_one(x, x > 1)": "true"], .macro(existsOneMacro)),
  Function(
    "existsOne", .receiver, 2...3, "list.existsOne(x, condition) -> bool",
    "Is another spelling of exists_one.", ["[1, 2].existsOne(i, x, x > i)": "false"],
    .macro(existsOneMacro)),
  Function(
    "map", .receiver, 2...3, "list.map(x, result) -> list, list.map(x, condition, result)",
    "Makes a list of a result for each element or key, of those a condition holds for.",
    ["[1, 2].map(x, x * 2)": "[2, 4]", "[1, 2].map(x, x > 1, x * 2)": "[4]"], .macro(mapMacro)),
  Function(
    "filter", .receiver, 2...2, "list.filter(x, condition) -> list",
    "Makes a list of the elements or keys that a condition holds for.",
    ["[1, 2].filter(x, x > 1)": "[2]"], .macro(filterMacro)),
  Function(
    "transformList", .receiver, 3...4,
    "list.transformList(i, x, result) -> list, map.transformList(key, value, condition, result)",
    "Makes a list of a result for each position and element, or key and value.",
    ["['a', 'b'].transformList(i, x, x + string(i))": "['a0', 'b1']"], .macro(transformListMacro)),
  Function(
    "transformMap", .receiver, 3...4,
    "map.transformMap(key, value, result) -> map, map.transformMap(key, value, condition, result)",
    "Makes a map with the same keys, or positions, and new values.",
    ["{'a': 1}.transformMap(k, v, v + 1)": "{'a': 2}"], .macro(transformMapMacro)),
  Function(
    "transformMapEntry", .receiver, 3...4,
    "map.transformMapEntry(key, value, {newKey: newValue}) -> map",
    "Makes a map of new entries; a key that comes twice is an error.",
    ["{'a': 'b'}.transformMapEntry(k, v, {v: k})": "{'b': 'a'}"], .macro(transformMapEntryMacro)),
  Function(
    "cel.bind", .free, 3...3, "cel.bind(name, value, result)",
    "Gives a value a name inside a result.", ["cel.bind(x, 2 + 3, x * x)": "25"],
    .macro(bindMacro)),
]

private let hasMacro = Macro { compiler, call throws(ExpressionError) in
  guard case .access(let base, let steps) = call.arguments[0].kind, let last = steps.last,
    case .member(let member) = last.kind
  else { throw call.fault("'has' needs a member, like has(a.b)") }
  let kind: Syntax.Kind = steps.count == 1 ? base.kind : .access(base, steps.dropLast())
  let end = steps.dropLast().last?.range ?? base.range
  let owner = Syntax(kind: kind, range: base.range.through(end))
  return HasNode(try compiler.compile(owner), member, at: call.range)
}

/// The variables of a macro that takes one or two of them and then `rest` arguments.
private func variableCount(_ call: MacroCall, rest: Int) -> Int {
  call.arguments.count - rest
}

private func quantifierMacro(decisive: Bool) -> Macro {
  Macro { compiler, call throws(ExpressionError) in
    try compiler.compileLoop(call, variableCount: variableCount(call, rest: 1)) { loop, parts in
      QuantifierNode(loop, parts[0], decisive: decisive, at: call.range)
    }
  }
}

private let existsOneMacro = Macro { compiler, call throws(ExpressionError) in
  try compiler.compileLoop(call, variableCount: variableCount(call, rest: 1)) { loop, parts in
    ExistsOneNode(loop, parts[0], at: call.range)
  }
}

private let mapMacro = Macro { compiler, call throws(ExpressionError) in
  try compiler.compileLoop(call, variableCount: 1) { loop, parts in
    ListLoopNode(
      loop, filter: parts.count == 2 ? parts[0] : nil, result: parts[parts.count - 1],
      at: call.range)
  }
}

private let filterMacro = Macro { compiler, call throws(ExpressionError) in
  let name = try call.variable(0)
  return try compiler.compileLoop(call, variableCount: 1) { loop, parts in
    let element = LocalNode(name, slot: loop.firstSlot, outer: nil, at: call.arguments[0].range)
    return ListLoopNode(loop, filter: parts[0], result: element, at: call.range)
  }
}

private let transformListMacro = Macro { compiler, call throws(ExpressionError) in
  try compiler.compileLoop(call, variableCount: 2) { loop, parts in
    ListLoopNode(
      loop, filter: parts.count == 2 ? parts[0] : nil, result: parts[parts.count - 1],
      at: call.range)
  }
}

private let transformMapMacro = Macro { compiler, call throws(ExpressionError) in
  try compiler.compileLoop(call, variableCount: 2) { loop, parts in
    MapLoopNode(
      loop, filter: parts.count == 2 ? parts[0] : nil, result: parts[parts.count - 1],
      at: call.range)
  }
}

private let transformMapEntryMacro = Macro { compiler, call throws(ExpressionError) in
  guard case .map(let entries)? = call.arguments.last?.kind, entries.count == 1 else {
    throw call.fault("'transformMapEntry' needs a map of one entry, like {key: value}")
  }
  return try compiler.compileLoop(call, variableCount: 2) { loop, parts in
    let result = parts[parts.count - 1]
    return MapLoopNode(
      loop, filter: parts.count == 2 ? parts[0] : nil,
      result: (result as? MapNode).map(MapEntryNode.init) ?? result, at: call.range)
  }
}

private let bindMacro = Macro { compiler, call throws(ExpressionError) in
  let name = try call.variable(0)
  let bound = try compiler.compile(call.arguments[1])
  let (slot, result) = try compiler.compileBinding(name, call.arguments[2])
  return BindNode(slot: slot, bound, result, at: call.range)
}

@Sendable
private func sizeOf(_ operand: Operand, _ frame: inout Frame) throws(Failure) -> Value {
  switch operand {
  case .container(let container): return .int(Int64(container.count))
  case .value(.string(let text)):
    try frame.charge(bytes: text.utf8.count)
    return .int(Int64(text.unicodeScalars.count))
  case .value(.bytes(let bytes)): return .int(Int64(bytes.count))
  case .value(.list(let list)): return .int(Int64(list.count))
  case .value(.map(let map)): return .int(Int64(map.count))
  default: throw Failure("'size' cannot take \(typePhrase(operand.typeName))")
  }
}
