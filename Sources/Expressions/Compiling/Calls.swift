import SettledPatterns
import SettledValues

extension Compiler {
  /// Compiles a call: a macro, a function, or one that cannot be made.
  mutating func compileCall(
    _ call: Syntax.Call, at range: SourceRange
  ) throws(ExpressionError) -> any Node {
    if let target = call.target, let namespace = namespace(of: target),
      let function = FunctionTable.all[namespace + "." + call.name], function.style == .free
    {
      return try compile(function, call.arguments, call, at: range)
    }
    if let function = FunctionTable.all[call.name], function.takes(receiver: call.target != nil) {
      let receiver = call.target.map { [$0] } ?? []
      return try compile(function, receiver + call.arguments, call, at: range)
    }
    return try impossible(unknown(call), call, at: range)
  }

  /// The namespace that `target` may name: names joined by dots, of which none is local.
  private func namespace(of target: Syntax) -> String? {
    guard let name = target.simpleName, scope.position(of: name) == nil else { return nil }
    return name
  }

  private mutating func compile(
    _ function: Function, _ arguments: [Syntax], _ call: Syntax.Call, at range: SourceRange
  ) throws(ExpressionError) -> any Node {
    let hasReceiver = arguments.count > call.arguments.count
    let extra = function.style == .either && !hasReceiver ? 1 : 0
    let count = call.arguments.count
    let arities = function.arities.lowerBound + extra...function.arities.upperBound + extra
    guard arities.contains(count) else {
      return try impossible(function.arityFault(arities, count, call.nameRange), call, at: range)
    }
    if case .macro(let macro) = function.body {
      return try macro.expand(&self, MacroCall(call, at: range))
    }
    let nodes = try compileAll(arguments)
    if function.name == "matches", case .string(let source)? = nodes[1].constant {
      return MatchNode(nodes[0], try compiledMatch(source, at: nodes[1].range), at: range)
    }
    return CallNode(function, nodes, at: range)
  }

  private func compiledMatch(
    _ source: String, at range: SourceRange
  ) throws(ExpressionError) -> CompiledMatch {
    do {
      return try CompiledMatch(source)
    } catch {
      let kind: ExpressionError.Kind = error.kind == .limit ? .limit : .syntax
      throw ExpressionError(kind, "the pattern is not one: \(error.message)", at: range.offsets)
    }
  }

  /// Refuses a call, or leaves it to fail when it is evaluated.
  private mutating func impossible(
    _ fault: ExpressionError, _ call: Syntax.Call, at range: SourceRange
  ) throws(ExpressionError) -> any Node {
    if dialect.refusesUnknownCalls { throw fault }
    return ImpossibleCallNode(fault.message, at: range)
  }

  private func unknown(_ call: Syntax.Call) -> ExpressionError {
    let range = call.nameRange.offsets
    if let other = FunctionTable.all[call.name] {
      let form = other.style == .receiver ? "value.\(call.name)()" : "\(call.name)(value)"
      return ExpressionError(
        .function, "'\(call.name)' is not called like this", at: range, hint: "write \(form)")
    }
    var name = call.name
    if let namespace = call.target.flatMap(namespace), FunctionTable.namespaces.contains(namespace)
    {
      name = namespace + "." + name
    }
    let likely = name.closest(among: FunctionTable.names)
    return ExpressionError(
      .function, "there is no function '\(name)'", at: range,
      hint: likely.map { "did you mean '\($0)'?" })
  }
}

extension Function {
  /// Whether it can be called with or without a receiver.
  fileprivate func takes(receiver: Bool) -> Bool {
    style == .either || (style == .receiver) == receiver
  }

  fileprivate func arityFault(
    _ arities: ClosedRange<Int>, _ count: Int, _ range: SourceRange
  ) -> ExpressionError {
    let last = arities.upperBound
    let wanted: String
    if arities.count == 1 {
      wanted = "\(last) \(last == 1 ? "argument" : "arguments")"
    } else if last == .max {
      wanted = "\(arities.lowerBound) or more arguments"
    } else {
      wanted = "\(arities.lowerBound) to \(last) arguments"
    }
    return ExpressionError(
      .function, "'\(name)' takes \(wanted), not \(count)", at: range.offsets,
      hint: "it is called as \(signature)")
  }
}
