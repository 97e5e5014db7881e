import SettledValues

/// A value written in the source, or worked out when it was compiled.
final class ConstantNode: Node {
  let range: SourceRange
  private let held: Value

  init(_ value: Value, at range: SourceRange) {
    held = value
    self.range = range
  }

  var constant: Value? { held }

  func value(_ frame: inout Frame) throws(Failure) -> Value { held }
}

/// A name that the lookup knows.
final class NameNode: Node {
  let range: SourceRange
  private let name: String
  /// The type that the name stands for where the lookup does not know it.
  private let type: Value?

  init(_ name: String, type: Value?, at range: SourceRange) {
    self.name = name
    self.type = type
    self.range = range
  }

  var spelling: String? { name }
  var path: Path? { Path([.key(name)]) }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    switch try find(&frame) {
    case .value(let value): return value
    case .container(let container): return try Operand.container(container).whole()
    }
  }

  func operand(_ frame: inout Frame) throws(Failure) -> Operand {
    Operand(try find(&frame))
  }

  /// What the lookup finds, or the type.
  @inline(__always)
  func find(_ frame: inout Frame) throws(Failure) -> Found {
    let found: Found?
    do {
      found = try frame.lookup.lookUp(name)
    } catch {
      throw Failure(reading: error).placed(at: range)
    }
    if let found { return found }
    if let type { return .value(type) }
    throw Failure("'\(name)' does not exist", at: range)
  }
}

/// A name of several parts, or one in a container: what it means is found out by asking.
final class QualifiedNameNode: Node {
  /// A name to ask for, and the members of its value that are left.
  struct Candidate: Sendable {
    var name: String
    var members: [String]
  }

  let range: SourceRange
  private let candidates: [Candidate]
  private let type: Value?

  init(_ candidates: [Candidate], type: Value?, at range: SourceRange) {
    self.candidates = candidates
    self.type = type
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    try operand(&frame).whole()
  }

  func operand(_ frame: inout Frame) throws(Failure) -> Operand {
    for candidate in candidates {
      let found: Found?
      do {
        found = try frame.lookup.lookUp(candidate.name)
      } catch {
        throw Failure(reading: error).placed(at: range)
      }
      guard let found else { continue }
      var operand = Operand(found)
      for member in candidate.members {
        operand = try operand.selecting(member, at: range, spelling: candidate.name)
      }
      return operand
    }
    if let type { return .value(type) }
    throw Failure("'\(candidates.last?.name ?? "")' does not exist", at: range)
  }
}

/// A local name: the variable of a macro, a loop, `cel.bind` or `{% set %}`.
final class LocalNode: Node {
  let range: SourceRange
  private let name: String
  let slot: Int
  /// What the name means while it was not set.
  private let outer: (any Node)?

  init(_ name: String, slot: Int, outer: (any Node)?, at range: SourceRange) {
    self.name = name
    self.slot = slot
    self.outer = outer
    self.range = range
  }

  var spelling: String? { name }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    switch frame.slots[slot] {
    case .value(let value): return value
    case let operand?: return try operand.whole()
    case nil: return try unset(&frame).whole()
    }
  }

  func operand(_ frame: inout Frame) throws(Failure) -> Operand {
    guard let operand = frame.slots[slot] else { return try unset(&frame) }
    return operand
  }

  private func unset(_ frame: inout Frame) throws(Failure) -> Operand {
    guard let outer else { throw Failure("'\(name)' was not set", at: range) }
    return try outer.operand(&frame)
  }
}
