import SettledValues

/// Steps from a value to what it holds: `a.b[0].?c`.
final class AccessNode: Node {
  struct Step: Sendable {
    enum Kind: Sendable {
      case member(String)
      case index(any Node)
    }
    var kind: Kind
    var isOptional: Bool
    var range: SourceRange

    /// The name, if it is not an index.
    var member: String? { if case .member(let name) = kind { name } else { nil } }
  }

  let range: SourceRange
  let path: Path?
  let spelling: String?
  private let base: any Node
  /// The base, where it is a free name.
  private let name: NameNode?
  /// The slot of the base, where it is a local name.
  private let slot: Int?
  private let steps: [Step]
  /// The names of the first steps, up to one that is not plainly a member.
  private let members: [String]

  init(_ base: any Node, _ steps: [Step], at range: SourceRange) {
    self.base = base
    name = base as? NameNode
    slot = (base as? LocalNode)?.slot
    self.steps = steps
    self.range = range
    members = Array(
      steps.prefix { !$0.isOptional }.map(\.member).prefix { $0 != nil }.compactMap(\.self))
    path = base.path.flatMap { Self.extend($0, by: steps) }
    let local = base.spelling.flatMap { Self.extend(Path([.key($0)]), by: steps) }
    spelling = (path ?? local)?.description
  }

  /// The path after steps that are all known.
  private static func extend(_ path: Path, by steps: [Step]) -> Path? {
    var path = path
    for step in steps {
      switch step.kind {
      case .member(let name): path = path.appending(name)
      case .index(let node):
        switch node.constant {
        case .string(let key): path = path.appending(key)
        case .int(let position) where position >= 0: path = path.appending(Int(position))
        default: return nil
        }
      }
    }
    return path
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    if let slot, case .value(var value)? = frame.slots[slot] {
      let reached = pass(&value)
      if reached == steps.count { return value }
      return try whole(of: follow(.value(value), from: reached, &frame))
    }
    guard let name else { return try whole(of: try operand(&frame)) }
    switch try name.find(&frame) {
    case .value(var value):
      let reached = pass(&value)
      if reached == steps.count { return value }
      return try whole(of: follow(.value(value), from: reached, &frame))
    case .container(let container):
      return try whole(of: follow(.container(container), from: 0, &frame))
    }
  }

  private func whole(of operand: Operand) throws(Failure) -> Value {
    if case .value(let value) = operand { return value }
    do {
      return try operand.whole()
    } catch {
      throw error.placed(at: range)
    }
  }

  func operand(_ frame: inout Frame) throws(Failure) -> Operand {
    let start = try base.operand(&frame)
    guard case .value(var value) = start else { return try follow(start, from: 0, &frame) }
    let reached = pass(&value)
    return reached == steps.count
      ? .value(value) : try follow(.value(value), from: reached, &frame)
  }

  /// Follows members of values as far as they are there, which is nearly always all the way; gives
  /// the number of steps that were taken.
  @inline(__always)
  private func pass(_ value: inout Value) -> Int {
    for position in members.indices {
      guard case .map(let map) = value, let next = map[members[position]] else { return position }
      value = next
    }
    return members.count
  }

  private func follow(
    _ start: Operand, from first: Int, _ frame: inout Frame
  ) throws(Failure) -> Operand {
    var current = start
    for position in first..<steps.count {
      do {
        current = try follow(steps[position], from: current, position, &frame)
      } catch {
        throw error.missing(among: Keys(node: self, position: position))
      }
    }
    return current
  }

  /// The map that the step at `position` starts from.
  private struct Keys: KeySource {
    let node: AccessNode
    let position: Int

    func keys(_ frame: inout Frame) -> [String] {
      guard var operand = try? node.base.operand(&frame) else { return [] }
      for earlier in 0..<position {
        guard let next = try? node.follow(node.steps[earlier], from: operand, earlier, &frame)
        else { return [] }
        operand = next
      }
      switch operand {
      case .container(let container): return container.keys
      case .value(.map(let map)):
        return map.keys.compactMap { if case .string(let key) = $0 { key } else { nil } }
      default: return []
      }
    }
  }

  private func follow(
    _ step: Step, from operand: Operand, _ position: Int, _ frame: inout Frame
  ) throws(Failure) -> Operand {
    switch step.kind {
    case .member(let name):
      return step.isOptional
        ? try operand.optionallySelecting(.string(name), at: step.range)
        : try operand.selecting(name, at: step.range, spelling: spelling(before: position))
    case .index(let node):
      let key = try node.value(&frame)
      return step.isOptional
        ? try operand.optionallySelecting(key, at: step.range)
        : try operand.indexed(key, at: step.range, spelling: spelling(before: position))
    }
  }

  /// How messages call the value that the step at `position` starts from.
  private func spelling(before position: Int) -> String? {
    base.spelling.flatMap {
      Self.extend(base.path ?? Path([.key($0)]), by: Array(steps[..<position]))?.description
    }
  }
}

/// `has(a.b)`: whether a map has an entry.
final class HasNode: Node {
  let range: SourceRange
  private let base: any Node
  private let member: String

  init(_ base: any Node, _ member: String, at range: SourceRange) {
    self.base = base
    self.member = member
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    let operand = try base.operand(&frame)
    switch operand {
    case .value(.map(let map)): return .bool(map[member] != nil)
    case .value(.optional(nil)): return .bool(false)
    case .value(.optional(.map(let map)?)): return .bool(map[member] != nil)
    case .container(let container) where !container.isList,
      .optional(let container) where !container.isList:
      return .bool(container.hasMember(member))
    default: break
    }
    let name = base.spelling.map { "'\($0)'" } ?? "the value"
    throw Failure(
      "'has' needs a map: \(name) has type \(operand.typeName)", at: range, path: base.path)
  }
}
