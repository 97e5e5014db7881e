import SettledObserving
import SettledSettings
import SettledValues
import TestSupport

/// One way to read something of the settings.
enum Reading {
  case leaf(Path)
  case keys(Path)
  case whole(Path)

  var path: Path {
    switch self {
    case .leaf(let path), .keys(let path), .whole(let path): path
    }
  }

  /// All that a reader learns on the way through a value: the shape at each step, then the end.
  func trace(in root: Value) -> [Value] {
    var trace: [Value] = []
    for length in 0...path.components.count {
      let prefix = Path(Array(path.components.prefix(length)))
      trace.append(shape(value(at: prefix, of: root)))
    }
    guard let end = value(at: path, of: root) else { return trace }
    switch (self, end) {
    case (.keys, .map(let map)): trace.append(.list(map.keys))
    case (.keys, .list(let list)): trace.append(.int(Int64(list.count)))
    case (.whole, _): trace.append(end)
    default: break
    }
    return trace
  }

  /// Reads through the cursors of a lookup.
  @ObservingActor
  func read(_ lookup: SettingsLookup) throws -> Value {
    var found = lookup.lookUp("settings")
    for component in path.components {
      guard case .container(let container)? = found else { return "absent" }
      switch component {
      case .key(let key): found = try container.member(key)
      case .index(let position): found = try container.element(position)
      }
    }
    guard case .container(let end)? = found else { return shape(found) }
    switch self {
    case .leaf: return shape(found)
    case .keys: return end.isList ? .int(Int64(end.count)) : .list(end.keys.map(Value.string))
    case .whole: return try end.whole()
    }
  }

  private func shape(_ found: Found?) -> Value {
    switch found {
    case .none: "absent"
    case .value(let value)?: value
    case .container(let container)?: container.isList ? "list" : "map"
    }
  }

  private func shape(_ value: Value?) -> Value {
    switch value {
    case .none: "absent"
    case .map?: "map"
    case .list?: "list"
    case let value?: value
    }
  }
}

extension Dice {
  /// A random reading, mostly of something that is there.
  mutating func reading(in settings: Settings) -> Reading {
    let all = paths(of: settings.value() ?? nil)
    var path = all[roll(all.count)]
    if roll(4) == 0 { path = path.appending("k\(roll(5))") }
    switch roll(3) {
    case 0: return .keys(path)
    case 1: return .whole(path)
    default: return .leaf(path)
    }
  }
}

/// An observer that counts its evaluations.
@ObservingActor
final class Reader {
  let reading: Reading
  private(set) var evaluations = 0
  private(set) var last: Value?
  private(set) var token: ObservationToken?

  init(_ store: SettingsStore, _ reading: Reading) {
    self.reading = reading
    token = observe({ [weak self] () throws -> Value in
      self?.evaluations += 1
      return try reading.read(store.lookup())
    }) { [weak self] in self?.last = $1 }
  }
}
