import Expressions
import SettledObserving
import SettledValues

/// Finds what the expressions of one instance of a target name: its entry, and all else.
@ObservingActor
final class InstanceLookup: Lookup {
  private let outer: ProgramLookup
  private let entry: (alias: String, key: Value, each: ExpressionRule)?
  /// Names that stand for text: the paths a command is told.
  private let texts: [String: String]
  private var seenReads = 0

  init(
    _ program: Program, _ rule: TargetRule, key: Value?, texts: [String: String] = [:]
  ) {
    outer = ProgramLookup(program)
    self.texts = texts
    entry = key.flatMap { key in rule.each.map { (rule.alias, key, $0) } }
  }

  /// Whether anything read so far is secret.
  var hasReadSecret: Bool { outer.hasReadSecret }

  /// Tells whether a secret was read since this was called last.
  func takeSecretRead() -> Bool {
    defer { seenReads = outer.secretReads }
    return outer.secretReads > seenReads
  }

  func lookUp(_ name: String) throws -> Found? {
    if let text = texts[name] { return .value(.string(text)) }
    guard let entry, name.hasSameBytes(as: entry.alias) else { return try outer.lookUp(name) }
    return .container(InstanceEntry(key: entry.key, each: entry.each, outer: outer))
  }
}

/// The entry of an instance: `key`, and `value`, of which only what is read is depended on.
@ObservingActor
private struct InstanceEntry: Container {
  let key: Value
  let each: ExpressionRule
  let outer: ProgramLookup

  var isList: Bool { false }
  var count: Int { 2 }
  var keys: [String] { ["key", "value"] }

  func member(_ name: String) throws -> Found? {
    switch name {
    case "key": .value(key)
    case "value": try value()
    default: nil
    }
  }

  func element(_ position: Int) -> Found? { nil }

  func whole() throws -> Value {
    ["key": key, "value": try value()?.whole ?? .null]
  }

  private func value() throws -> Found? {
    switch try outer.find(each) {
    case .container(let container)?: try Self.entry(key, of: container)
    case .value(.map(let map))?: map[key].map(Found.value)
    case .value(.list(let list))?: Self.element(key, of: list)
    default: nil
    }
  }

  private static func entry(_ key: Value, of container: any Container) throws -> Found? {
    switch key {
    case .string(let name): try container.member(name)
    case .int(let position): try container.element(Int(position))
    default: nil
    }
  }

  private static func element(_ key: Value, of list: [Value]) -> Found? {
    guard case .int(let position) = key, list.indices.contains(Int(position)) else { return nil }
    return .value(list[Int(position)])
  }
}

extension ProgramLookup {
  /// What an expression leads to: where it is a path, step by step, so that only those are read.
  func find(_ rule: ExpressionRule) throws -> Found? {
    let expression = rule.expression
    guard expression.roots.count == 1, let root = expression.roots.first,
      root.pathRange.count == expression.source.utf8.count
    else { return .value(try expression.evaluate(self)) }
    var found = try lookUp(root.name)
    for component in root.path.components.dropFirst() {
      guard let current = found else { return nil }
      found = try current.step(component)
    }
    return found
  }
}

extension Found {
  /// The value itself, read whole.
  var whole: Value? {
    get throws {
      switch self {
      case .value(let value): value
      case .container(let container): try container.whole()
      }
    }
  }

  /// What lies one step below.
  func step(_ component: Path.Component) throws -> Found? {
    switch (self, component) {
    case (.container(let container), .key(let key)): try container.member(key)
    case (.container(let container), .index(let position)): try container.element(position)
    case (.value(.map(let map)), .key(let key)): map[key].map(Found.value)
    case (.value(.list(let list)), .index(let position)):
      list.indices.contains(position) ? .value(list[position]) : nil
    default: nil
    }
  }
}
