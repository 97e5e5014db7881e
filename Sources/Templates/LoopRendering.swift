import Expressions
import SettledValues

extension Renderer {
  /// Renders a loop, or what stands for an empty one.
  mutating func render(
    _ loop: LoopBlock, of source: TemplateSource, into output: inout [UInt8]
  ) throws(TemplateError) {
    let outputStart = output.count
    let turns: Turns
    do throws(Failure) {
      turns = Turns(try loop.source.operand(&frame))
      guard turns.count >= 0 else { throw Self.notIterable(loop.source, turns) }
    } catch {
      throw self.error(error, of: loop.source, in: source)
    }
    let isSecret = secrecy.isOn && secrecy.isSecret(loop.source)
    if isSecret { secrecy.enter() }
    for position in 0..<turns.count {
      do throws(Failure) {
        try frame.charge(steps: 1)
        try begin(position, of: turns, loop)
      } catch {
        throw source.error(error.placed(at: loop.source.range).error(&frame))
      }
      if secrecy.isOn { noteSecrecy(loop) }
      try render(loop.body, of: source, into: &output)
    }
    if turns.count == 0 { try render(loop.otherwise, of: source, into: &output) }
    if isSecret {
      for slot in loop.assigned { secrecy.assign(slot, isSecret: true) }
      secrecy.leave(outputStart..<output.count)
    }
  }

  /// Sets the names of a turn.
  private mutating func begin(
    _ position: Int, of turns: Turns, _ loop: LoopBlock
  ) throws(Failure) {
    for slot in loop.assigned { frame.slots[slot] = nil }
    if loop.namesTurns {
      frame.slots[loop.loopSlot] = .value(.int(Int64(position)))
      frame.slots[loop.loopSlot + 1] = .value(.int(Int64(turns.count)))
    }
    guard let secondSlot = loop.secondSlot else {
      frame.slots[loop.firstSlot] = try turns.single(position)
      return
    }
    let pair = try turns.pair(position)
    frame.slots[loop.firstSlot] = pair.first
    frame.slots[secondSlot] = pair.second
  }

  private mutating func noteSecrecy(_ loop: LoopBlock) {
    let isSecret = secrecy.takeRead()
    secrecy.assign(loop.firstSlot, isSecret: isSecret)
    if let slot = loop.secondSlot { secrecy.assign(slot, isSecret: isSecret) }
    secrecy.assign(loop.loopSlot, isSecret: false)
    for slot in loop.assigned { secrecy.assign(slot, isSecret: false) }
  }

  private static func notIterable(_ source: ScopedExpression, _ turns: Turns) -> Failure {
    let name = source.spelling.map { "'\($0)'" } ?? "the value"
    return Failure(
      "'for' needs a list or map: \(name) is of type \(turns.operand.typeName)", at: source.range,
      path: source.path)
  }
}

/// What a loop goes through: a list, or the keys of a map.
private struct Turns {
  let operand: Operand
  /// The number of turns; negative where there is nothing to go through.
  let count: Int
  /// The keys of a map that is read on demand.
  private let keys: [String]

  init(_ operand: Operand) {
    self.operand = operand
    var keys: [String] = []
    switch operand {
    case .value(.list(let list)): count = list.count
    case .value(.map(let map)): count = map.count
    case .container(let container) where container.isList: count = container.count
    case .container(let container):
      keys = container.keys
      count = keys.count
    default: count = -1
    }
    self.keys = keys
  }

  /// The element, or the key of a map.
  func single(_ position: Int) throws(Failure) -> Operand {
    switch operand {
    case .value(.list(let list)): return .value(list[position])
    case .value(.map(let map)): return .value(map.keys[position])
    case .container(let container) where container.isList:
      return try Self.read { try container.element(position) }
    default: return .value(.string(keys[position]))
    }
  }

  /// The key and value of a map, or the two elements of a list in a list.
  func pair(_ position: Int) throws(Failure) -> (first: Operand, second: Operand) {
    switch operand {
    case .value(.map(let map)): return (.value(map.keys[position]), .value(map.values[position]))
    case .container(let container) where !container.isList:
      let key = keys[position]
      return (.value(.string(key)), try Self.read { try container.member(key) })
    default:
      let element = try single(position).whole()
      guard case .list(let pair) = element, pair.count == 2 else {
        throw Failure("two names need a map, or lists of two elements, not \(element.typePhrase)")
      }
      return (.value(pair[0]), .value(pair[1]))
    }
  }

  private static func read(_ body: () throws -> Found?) throws(Failure) -> Operand {
    do {
      return try body().map(Operand.init) ?? .value(.null)
    } catch {
      throw Failure(reading: error)
    }
  }
}
