import SettledValues

/// The turns of a macro over a list or map.
struct Loop: Sendable {
  /// What is gone through.
  let source: any Node
  /// Where the index or key goes; with one variable, the key of a map and the element of a list.
  let firstSlot: Int
  /// Where the element or value goes, if there are two variables.
  let secondSlot: Int?
  /// The steps each turn counts.
  let weight: Int
  /// The name of the macro, for messages.
  let name: String

  /// Sets the variables to each element or key in turn; `turn` tells whether to go on.
  @inline(__always)
  func run(
    _ frame: inout Frame, _ turn: (inout Frame) throws(Failure) -> Bool
  ) throws(Failure) {
    let operand = try source.operand(&frame)
    switch operand {
    case .value(.list(let list)):
      for position in list.indices {
        try set(.int(Int64(position)), .value(list[position]), isList: true, &frame)
        guard try turn(&frame) else { return }
      }
    case .value(.map(let map)):
      for position in map.keys.indices {
        try set(map.keys[position], .value(map.values[position]), isList: false, &frame)
        guard try turn(&frame) else { return }
      }
    case .container(let container): try run(container, &frame, turn)
    default:
      let spelling = source.spelling.map { "'\($0)'" } ?? "the value"
      throw Failure(
        "'\(name)' needs a list or map: \(spelling) is \(typePhrase(operand.typeName))",
        at: source.range, path: source.path)
    }
  }

  @inline(__always)
  private func set(
    _ key: Value, _ value: Operand, isList: Bool, _ frame: inout Frame
  ) throws(Failure) {
    try frame.charge(steps: weight)
    if let secondSlot {
      frame.slots[firstSlot] = .value(key)
      frame.slots[secondSlot] = value
    } else {
      frame.slots[firstSlot] = isList ? value : .value(key)
    }
  }

  private func run(
    _ container: any Container, _ frame: inout Frame,
    _ turn: (inout Frame) throws(Failure) -> Bool
  ) throws(Failure) {
    let isList = container.isList
    let keys = isList ? [] : container.keys
    for position in 0..<(isList ? container.count : keys.count) {
      let key: Value = isList ? .int(Int64(position)) : .string(keys[position])
      var value = Operand.value(.null)
      if isList || secondSlot != nil {
        do {
          let found =
            try isList ? container.element(position) : container.member(keys[position])
          value = found.map(Operand.init) ?? value
        } catch {
          throw Failure(reading: error).placed(at: source.range)
        }
      }
      try set(key, value, isList: isList, &frame)
      guard try turn(&frame) else { return }
    }
  }
}

/// `all` and `exists`: `&&` and `||` over the turns, failures passed over as they do.
final class QuantifierNode: Node {
  let range: SourceRange
  private let loop: Loop
  private let predicate: any Node
  private let decisive: Bool

  init(_ loop: Loop, _ predicate: any Node, decisive: Bool, at range: SourceRange) {
    self.loop = loop
    self.predicate = predicate
    self.decisive = decisive
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    var failure: Failure?
    var isDecided = false
    try loop.run(&frame) { frame throws(Failure) in
      do throws(Failure) {
        isDecided = try predicate.truth(&frame) == decisive
      } catch {
        if error.isLimit { throw error }
        failure = failure ?? error
      }
      return !isDecided
    }
    if isDecided { return .bool(decisive) }
    if let failure { throw failure }
    return .bool(!decisive)
  }
}

/// `exists_one`: whether the predicate holds exactly once.
final class ExistsOneNode: Node {
  let range: SourceRange
  private let loop: Loop
  private let predicate: any Node

  init(_ loop: Loop, _ predicate: any Node, at range: SourceRange) {
    self.loop = loop
    self.predicate = predicate
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    var count = 0
    try loop.run(&frame) { frame throws(Failure) in
      if try predicate.truth(&frame) { count += 1 }
      return true
    }
    return .bool(count == 1)
  }
}

/// `map`, `filter` and `transformList`: a list of what the turns give.
final class ListLoopNode: Node {
  let range: SourceRange
  private let loop: Loop
  private let filter: (any Node)?
  private let result: any Node

  /// The number of elements there is room for at first.
  private static let firstCapacity = 16

  init(_ loop: Loop, filter: (any Node)?, result: any Node, at range: SourceRange) {
    self.loop = loop
    self.filter = filter
    self.result = result
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    var list: [Value] = []
    try loop.run(&frame) { frame throws(Failure) in
      if list.isEmpty { list.reserveCapacity(Self.firstCapacity) }
      if let filter, try !filter.truth(&frame) { return true }
      try frame.charge(elements: 1)
      list.append(try result.value(&frame))
      return true
    }
    return .list(list)
  }
}

/// `transformMap` and `transformMapEntry`: a map of what the turns give.
final class MapLoopNode: Node {
  let range: SourceRange
  private let loop: Loop
  private let filter: (any Node)?
  /// The value of the entry with the turn's own key, or the whole entry.
  private let result: any Node

  init(_ loop: Loop, filter: (any Node)?, result: any Node, at range: SourceRange) {
    self.loop = loop
    self.filter = filter
    self.result = result
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    var map = ValueMap()
    try loop.run(&frame) { frame throws(Failure) in
      if let filter, try !filter.truth(&frame) { return true }
      if let entry = result as? MapEntryNode {
        try entry.map.add(to: &map, &frame)
        return true
      }
      try frame.charge(elements: 2)
      guard case .value(let key)? = frame.slots[loop.firstSlot] else { return true }
      map[key] = try result.value(&frame)
      return true
    }
    return .map(map)
  }
}

/// The map literal that `transformMapEntry` makes its entries from.
final class MapEntryNode: Node {
  let map: MapNode

  init(_ map: MapNode) {
    self.map = map
  }

  var range: SourceRange { map.range }

  func value(_ frame: inout Frame) throws(Failure) -> Value { try map.value(&frame) }
}

/// A name for a value inside a result: `cel.bind(name, value, result)`.
final class BindNode: Node {
  let range: SourceRange
  private let slot: Int
  private let bound: any Node
  private let result: any Node

  init(slot: Int, _ bound: any Node, _ result: any Node, at range: SourceRange) {
    self.slot = slot
    self.bound = bound
    self.result = result
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    frame.slots[slot] = try bound.operand(&frame)
    return try result.value(&frame)
  }

  func operand(_ frame: inout Frame) throws(Failure) -> Operand {
    frame.slots[slot] = try bound.operand(&frame)
    return try result.operand(&frame)
  }
}

/// `optMap` and `optFlatMap`: the result for what an optional holds, if it holds anything.
final class OptionalMapNode: Node {
  let range: SourceRange
  private let slot: Int
  private let target: any Node
  private let result: any Node
  /// Whether the result is an optional itself.
  private let isFlat: Bool

  init(
    slot: Int, _ target: any Node, _ result: any Node, isFlat: Bool, at range: SourceRange
  ) {
    self.slot = slot
    self.target = target
    self.result = result
    self.isFlat = isFlat
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    switch try target.operand(&frame) {
    case .value(.optional(nil)): return .optional(nil)
    case .value(.optional(let value?)): frame.slots[slot] = .value(value)
    case .optional(let container): frame.slots[slot] = .container(container)
    case let other:
      throw Failure("an optional is needed, not \(typePhrase(other.typeName))", at: target.range)
    }
    let value = try result.value(&frame)
    guard isFlat else { return .optional(value) }
    guard case .optional = value else {
      throw Failure("'optFlatMap' needs an optional, not \(value.typePhrase)", at: result.range)
    }
    return value
  }
}
