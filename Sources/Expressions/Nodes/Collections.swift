import SettledValues

/// A list as it is written: `[a, ?b]`.
final class ListNode: Node {
  let range: SourceRange
  private let elements: [(node: any Node, isOptional: Bool)]

  init(_ elements: [(node: any Node, isOptional: Bool)], at range: SourceRange) {
    self.elements = elements
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    try frame.charge(elements: elements.count)
    var list: [Value] = []
    list.reserveCapacity(elements.count)
    for element in elements {
      let value = try element.node.value(&frame)
      if !element.isOptional {
        list.append(value)
      } else if let held = try value.held(by: "an optional element", at: element.node.range) {
        list.append(held)
      }
    }
    return .list(list)
  }
}

/// A map as it is written: `{a: b, ?c: d}`.
final class MapNode: Node {
  struct Entry: Sendable {
    var key: any Node
    var value: any Node
    var isOptional: Bool
  }

  let range: SourceRange
  let entries: [Entry]

  init(_ entries: [Entry], at range: SourceRange) {
    self.entries = entries
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    var map = ValueMap()
    try add(to: &map, &frame)
    return .map(map)
  }

  /// Adds the entries to `map`; a key that is there already is a failure.
  func add(to map: inout ValueMap, _ frame: inout Frame) throws(Failure) {
    try frame.charge(elements: entries.count * 2)
    for entry in entries {
      let key = try entry.key.value(&frame)
      var value = try entry.value.value(&frame)
      if entry.isOptional {
        guard let held = try value.held(by: "an optional entry", at: entry.value.range) else {
          continue
        }
        value = held
      }
      do {
        try map.add(key, value)
      } catch {
        throw error.placed(at: entry.key.range)
      }
    }
  }
}

extension ValueMap {
  /// Adds an entry; a key that is there already, or cannot be a key, is a failure.
  mutating func add(_ key: Value, _ value: Value) throws(Failure) {
    guard key.isKey else { throw Failure("\(key.typePhrase) cannot be a key") }
    guard entry(key) == nil else {
      throw Failure("the key \(key.shortText) is there twice").quoting
    }
    self[key] = value
  }
}

extension Value {
  /// What an optional holds, or nil where it is empty.
  fileprivate func held(by part: String, at range: SourceRange) throws(Failure) -> Value? {
    guard case .optional(let held) = self else {
      throw Failure("\(part) needs an optional, not \(typePhrase)", at: range)
    }
    return held
  }
}
