import Expressions
import SettledSettings
public import SettledValues

/// What an expression comes to over a generation, and what it read on the way.
public struct Evaluation: Sendable, Equatable {
  /// The value; what stands for it where a secret was read.
  public var value: Value
  /// The settings, facts and derived values that were read, each once, in order.
  public var reads: [Path]
}

extension Generation {
  /// Evaluates an expression over the settings, derived values and facts of this generation.
  ///
  /// - Throws: what is wrong, with a caret below the expression.
  public func evaluate(_ source: String) throws(Refusal) -> Evaluation {
    let lookup = TracingLookup(self)
    do {
      let expression = try Expression(source)
      try check(expression.roots)
      let value = try expression.evaluate(lookup)
      return Evaluation(
        value: lookup.hasReadSecret ? Self.secretText : value, reads: lookup.reads)
    } catch {
      throw Refusal([
        Self.diagnostic(of: lookup.hasReadSecret ? error.withoutValues : error, in: source)
      ])
    }
  }

  /// Refuses a name that does not exist, also in a part that would not be evaluated.
  private func check(_ roots: [Root]) throws(ExpressionError) {
    let names =
      (settings.keys() ?? []) + derived.map(\.name) + [Program.settingsName, Program.factsName]
    guard
      let root = roots.first(where: { root in
        !root.isTypeName && !names.contains { $0.hasSameBytes(as: root.name) }
      })
    else { return }
    throw ExpressionError(
      .evaluation, "'\(root.name)' does not exist", at: root.range,
      hint: Names.hint(for: root.name, among: names))
  }

  /// The value of a setting, derived value or fact, by its path as an expression spells it.
  ///
  /// - Throws: what is wrong with the path, or that nothing has it.
  public func value(at path: String) throws(Refusal) -> Value {
    if let spelled = Path(spelled: path), !isDerived(spelled),
      let value = settings.shownValue(at: spelled)
    {
      return value
    }
    return try evaluate(path).value
  }

  private func isDerived(_ path: Path) -> Bool {
    derived.contains { path.components.first == .key($0.name) }
  }

  private static func diagnostic(of error: ExpressionError, in source: String) -> Diagnostic {
    let before = source.utf8.prefix(error.range.lowerBound)
    let line = before.count { $0 == UInt8(ascii: "\n") }
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    let onLine = before.reversed().prefix { $0 != UInt8(ascii: "\n") }
    let column = onLine.count { $0 & 0xC0 != 0x80 }
    return Diagnostic(
      .error, error.message,
      at: Place(file: "expression", line: line + 1, column: column + 1),
      excerpt: line < lines.count
        ? Diagnostic.Excerpt(line: String(lines[line]), length: error.range.count) : nil,
      hint: error.hint)
  }
}

/// Finds names in a generation, and notes what is read.
private final class TracingLookup: Lookup {
  private let generation: Generation
  private(set) var reads: [Path] = []
  private var known: Set<Path> = []
  private(set) var hasReadSecret = false

  init(_ generation: Generation) {
    self.generation = generation
  }

  func lookUp(_ name: String) -> Found? {
    if let derived = generation.derived.first(where: { $0.name.hasSameBytes(as: name) }) {
      note(Path([.key(name)]), isSecret: derived.computed.isSecret)
      return .value(derived.computed.value)
    }
    if name == Program.factsName {
      return found(generation.facts, at: Path([.key(name)]), isFact: true)
    }
    let path = name == Program.settingsName ? Path() : Path([.key(name)])
    return generation.settings.value(at: path).map { found($0, at: path, isFact: false) }
  }

  func found(_ value: Value, at path: Path, isFact: Bool) -> Found {
    switch value {
    case .map, .list: return .container(Traced(value: value, path: path, isFact: isFact, self))
    default:
      note(path, isSecret: !isFact && generation.settings.isSecret(at: path))
      return .value(value)
    }
  }

  func noteKeys(_ path: Path, isFact: Bool) {
    note(path, isSecret: !isFact && generation.settings.hasSecretKeys(at: path))
  }

  func note(_ path: Path, isSecret: Bool) {
    if isSecret { hasReadSecret = true }
    if known.insert(path).inserted { reads.append(path) }
  }

  /// A map or list of which each read is noted.
  private struct Traced: Container {
    let value: Value
    let path: Path
    let isFact: Bool
    let lookup: TracingLookup

    init(value: Value, path: Path, isFact: Bool, _ lookup: TracingLookup) {
      self.value = value
      self.path = path
      self.isFact = isFact
      self.lookup = lookup
    }

    var isList: Bool { if case .list = value { true } else { false } }

    var count: Int {
      lookup.noteKeys(path, isFact: isFact)
      return switch value {
      case .list(let list): list.count
      case .map(let map): map.count
      default: 0
      }
    }

    var keys: [String] {
      lookup.noteKeys(path, isFact: isFact)
      guard case .map(let map) = value else { return [] }
      return map.keys.compactMap(\.text)
    }

    func member(_ key: String) -> Found? {
      guard case .map(let map) = value, let member = map[key] else {
        let isSecret = !isFact && lookup.generation.settings.hasSecretKeys(at: path)
        lookup.note(path.appending(key), isSecret: isSecret)
        return nil
      }
      return lookup.found(member, at: path.appending(key), isFact: isFact)
    }

    func element(_ position: Int) -> Found? {
      guard case .list(let list) = value, list.indices.contains(position) else {
        lookup.noteKeys(path, isFact: isFact)
        return nil
      }
      return lookup.found(list[position], at: path.appending(position), isFact: isFact)
    }

    func whole() -> Value {
      lookup.note(path, isSecret: !isFact && lookup.generation.settings.isSecret(at: path))
      return value
    }
  }
}
