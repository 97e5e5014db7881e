import SettledValues

/// The functions over optionals: values that may be absent, as `.?name` and `[?key]` give them.
let optionalFunctions: [Function] = [
  Function(
    "optional.of", .free, 1...1, "optional.of(value) -> optional", "Makes an optional of a value.",
    ["optional.of(1).value()": "1"],
    .unary { value, _ throws(Failure) in .optional(value) }),
  Function(
    "optional.none", .free, 0...0, "optional.none() -> optional", "Makes an empty optional.",
    ["optional.none().hasValue()": "false"],
    .variadic { _, _ throws(Failure) in .optional(nil) }),
  Function(
    "optional.ofNonZeroValue", .free, 1...1, "optional.ofNonZeroValue(value) -> optional",
    "Makes an optional that is empty for null, false, 0, '' and what has no elements.",
    ["optional.ofNonZeroValue('').hasValue()": "false"],
    .unary { value, _ throws(Failure) in .optional(value.isZero ? Value?.none : value) }),
  Function(
    "hasValue", .receiver, 0...0, "optional.hasValue() -> bool", "Tells whether it holds a value.",
    ["{'a': 1}.?a.hasValue()": "true"],
    .reading { operand, _ throws(Failure) in .bool(try operand.content("hasValue") != nil) }),
  Function(
    "value", .receiver, 0...0, "optional.value()", "Gives what it holds; an error if it is empty.",
    ["{'a': 1}.?a.value()": "1"],
    .reading { operand, _ throws(Failure) in
      guard let content = try operand.content("value") else {
        throw Failure("the optional is empty")
      }
      return try content.whole()
    }),
  Function(
    "orValue", .receiver, 1...1, "optional.orValue(other)",
    "Gives what it holds, or another value if it is empty.",
    ["{}.?port.orValue(80)": "80"], .macro(orMacro(isFlat: false))),
  Function(
    "or", .receiver, 1...1, "optional.or(optional) -> optional",
    "Gives the optional, or another one if it is empty.",
    ["{}.?a.or({'b': 1}.?b).value()": "1"], .macro(orMacro(isFlat: true))),
  Function(
    "optMap", .receiver, 2...2, "optional.optMap(x, result) -> optional",
    "Makes an optional of a result for what it holds.",
    ["optional.of(1).optMap(x, x + 1).value()": "2"], .macro(optionalMapMacro(isFlat: false))),
  Function(
    "optFlatMap", .receiver, 2...2, "optional.optFlatMap(x, optional) -> optional",
    "Gives an optional made of what it holds.",
    ["{'a': {'b': 1}}.?a.optFlatMap(x, x.?b).value()": "1"],
    .macro(optionalMapMacro(isFlat: true))),
  Function(
    "unwrapOpt", .receiver, 0...0, "list.unwrapOpt() -> list",
    "Gives what the optionals in a list hold, without the empty ones.",
    ["[optional.of(1), optional.none()].unwrapOpt()": "[1]"], .unary(unwrap)),
  Function(
    "optional.unwrap", .free, 1...1, "optional.unwrap(list) -> list",
    "Is another spelling of unwrapOpt.", ["optional.unwrap([optional.of(1)])": "[1]"],
    .unary(unwrap)),
]

/// The other value is evaluated only where it is needed.
private func orMacro(isFlat: Bool) -> Macro {
  Macro { compiler, call throws(ExpressionError) in
    let parts = try compiler.compileAll([try call.receiver(), call.arguments[0]])
    return OrNode(parts[0], parts[1], isFlat: isFlat, at: call.range)
  }
}

private func optionalMapMacro(isFlat: Bool) -> Macro {
  Macro { compiler, call throws(ExpressionError) in
    let target = try compiler.compile(try call.receiver())
    let (slot, result) = try compiler.compileBinding(try call.variable(0), call.arguments[1])
    compiler.depth += 1
    return OptionalMapNode(slot: slot, target, result, isFlat: isFlat, at: call.range)
  }
}

@Sendable
private func unwrap(_ value: Value, _ frame: inout Frame) throws(Failure) -> Value {
  guard case .list(let list) = value else { throw .overload("unwrapOpt", value) }
  try frame.charge(elements: list.count)
  var held: [Value] = []
  for element in list {
    guard case .optional(let content) = element else { throw .overload("unwrapOpt", element) }
    if let content { held.append(content) }
  }
  return .list(held)
}

extension Operand {
  /// What an optional holds, or nil where it is empty.
  func content(_ function: String) throws(Failure) -> Operand? {
    switch self {
    case .optional(let container): return .container(container)
    case .value(.optional(let value)): return value.map(Operand.value)
    default: throw Failure("'\(function)' needs an optional, not \(typePhrase(typeName))")
    }
  }
}

extension Value {
  /// Whether it is what an unset value of its type would be.
  fileprivate var isZero: Bool {
    switch self {
    case .null: true
    case .bool(let value): !value
    case .int(let value): value == 0
    case .uint(let value): value == 0
    case .double(let value): value == 0
    case .string(let value): value.isEmpty
    case .bytes(let value): value.isEmpty
    case .list(let value): value.isEmpty
    case .map(let value): value.isEmpty
    case .timestamp(let value): value == Timestamp(seconds: 0)
    case .duration(let value): value == .zero
    case .type: false
    case .optional(let value): value == nil
    }
  }
}
