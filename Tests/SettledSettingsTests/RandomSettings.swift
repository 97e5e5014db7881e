import SettledSettings
import SettledValues
import SettledYAML
import TestSupport

extension Dice {
  /// A random tree; maps of many keys at times, nulls among them.
  mutating func value(depth: Int) -> Value {
    switch roll(depth > 0 ? 9 : 5) {
    case 0: return .null
    case 1: return .int(Int64(roll(3)))
    case 2: return .bool(roll(2) == 0)
    case 3: return .double(Double(roll(3)) + 0.5)
    case 4: return .string("s\(roll(3))")
    case 5: return .list((0..<roll(4)).map { _ in value(depth: depth - 1) })
    default: return .map(map(depth: depth - 1))
    }
  }

  mutating func map(depth: Int) -> ValueMap {
    let keys = roll(12) == 0 ? 40 : 5
    return ValueMap(
      (0..<roll(keys)).map { _ in (.string("k\(roll(keys))"), value(depth: depth)) })
  }

  mutating func layer(_ name: String, secrets: Bool = true) throws -> (Layer, Value) {
    let value = Value.map(map(depth: 3))
    let text = try JSON.text(value)
    let document = try YAMLDocument.read(
      Array(text.utf8), file: name, isSecret: secrets && roll(4) == 0)
    return (Layer(document), value)
  }
}

/// The merge as one would write it over plain values.
func naivelyMerged(_ layers: [Value]) -> Value {
  layers.reduce(.map(ValueMap())) { merge($0, $1) }
}

private func merge(_ lower: Value?, _ upper: Value) -> Value {
  guard case .map(let upper) = upper else { return stripped(upper) }
  var result = ValueMap()
  if case .map(let lower)? = lower { result = lower }
  for (key, value) in zip(upper.keys, upper.values) {
    result[key] = value == .null ? Value?.none : merge(result[key], value)
  }
  return .map(result)
}

private func stripped(_ value: Value) -> Value {
  switch value {
  case .map: merge(nil, value)
  case .list(let elements): .list(elements.map(stripped))
  default: value
  }
}

/// A value with the keys of its maps sorted.
func sorted(_ value: Value) -> Value {
  switch value {
  case .list(let elements): return .list(elements.map(sorted))
  case .map(let map):
    let entries = zip(map.keys, map.values).sorted { "\($0.0)" < "\($1.0)" }
    return .map(ValueMap(entries.map { ($0.0, sorted($0.1)) }))
  default: return value
  }
}

/// All paths of a value: of maps, lists and leaves.
func paths(of value: Value, below path: Path = Path()) -> [Path] {
  switch value {
  case .list(let elements):
    return [path]
      + elements.enumerated().flatMap { paths(of: $0.element, below: path.appending($0.offset)) }
  case .map(let map):
    return [path]
      + zip(map.keys, map.values).flatMap { key, value -> [Path] in
        guard case .string(let key) = key else { return [] }
        return paths(of: value, below: path.appending(key))
      }
  default: return [path]
  }
}

extension Value {
  /// A map of entries in order.
  static func map(_ entries: [(String, Value)]) -> Value {
    .map(ValueMap(entries.map { (.string($0.0), $0.1) }))
  }
}

/// What stands at a path of a value.
func value(at path: Path, of root: Value) -> Value? {
  path.components.reduce(root) { (value: Value?, component) in
    switch (value, component) {
    case (.map(let map)?, .key(let key)): map[key]
    case (.list(let list)?, .index(let position)):
      list.indices.contains(position) ? list[position] : nil
    default: nil
    }
  }
}
