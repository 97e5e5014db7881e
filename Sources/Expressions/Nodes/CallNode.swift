import SettledValues

/// A call of a function.
final class CallNode: Node {
  let range: SourceRange
  private let function: Function
  private let arguments: [any Node]

  init(_ function: Function, _ arguments: [any Node], at range: SourceRange) {
    self.function = function
    self.arguments = arguments
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    try frame.charge(steps: 1)
    switch function.body {
    case .unary(let body):
      let argument = try arguments[0].value(&frame)
      do {
        return try body(argument, &frame)
      } catch {
        throw error.blaming([(arguments[0], argument)], at: range)
      }
    case .binary(let body):
      let first = try arguments[0].value(&frame)
      let second = try arguments[1].value(&frame)
      do {
        return try body(first, second, &frame)
      } catch {
        throw error.blaming([(arguments[0], first), (arguments[1], second)], at: range)
      }
    case .reading(let body):
      let operand = try arguments[0].operand(&frame)
      do {
        return try body(operand, &frame)
      } catch {
        throw error.placed(at: range)
      }
    case .variadic(let body): return try callVariadic(body, &frame)
    case .identity, .macro: return try arguments[0].value(&frame)
    }
  }

  func operand(_ frame: inout Frame) throws(Failure) -> Operand {
    guard case .identity = function.body else { return .value(try value(&frame)) }
    return try arguments[0].operand(&frame)
  }

  private func callVariadic(
    _ body: ([Value], inout Frame) throws(Failure) -> Value, _ frame: inout Frame
  ) throws(Failure) -> Value {
    var values: [Value] = []
    values.reserveCapacity(arguments.count)
    for argument in arguments { values.append(try argument.value(&frame)) }
    do {
      return try body(values, &frame)
    } catch {
      throw error.blaming(zip(arguments, values).map { ($0, $1) }, at: range)
    }
  }
}

/// A call that cannot be made: its function does not exist, or not with so many arguments.
///
/// It stands in the tree only where such calls are not refused when the expression is read.
final class ImpossibleCallNode: Node {
  let range: SourceRange
  private let message: String

  init(_ message: String, at range: SourceRange) {
    self.message = message
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    throw Failure(message, at: range)
  }
}

/// `text.matches('...')` with a pattern that is known when the expression is read.
final class MatchNode: Node {
  let range: SourceRange
  private let subject: any Node
  private let pattern: CompiledMatch

  init(_ subject: any Node, _ pattern: CompiledMatch, at range: SourceRange) {
    self.subject = subject
    self.pattern = pattern
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    try frame.charge(steps: 1)
    let subject = try subject.value(&frame)
    do throws(Failure) {
      guard case .string(let text) = subject else { throw Failure.overload("matches", subject) }
      return .bool(try pattern.matches(text, &frame))
    } catch {
      throw error.blaming([(self.subject, subject)], at: range)
    }
  }
}
