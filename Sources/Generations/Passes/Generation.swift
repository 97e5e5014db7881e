import Expressions
public import SettledSettings
public import SettledValues

/// A numbered set of inputs that was accepted and applied, and the values that follow from it.
public struct Generation: Sendable {
  /// A target and where its file lies.
  public struct Target: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// The path of its file, nil where it follows a value.
    public var file: String?
  }

  /// Its number, counted from 1.
  public var number: Int64
  /// The merged settings.
  public var settings: Settings
  /// The targets, in the order of the manifest.
  public var targets: [Target]
  var derived: [(name: String, computed: Computed<Value>)]
  var facts: Value

  /// What is shown in the place of a secret.
  public static let secretText = Value.string("(secret)")

  /// The derived values by name, in the order of the manifest; secrets are not shown.
  public var derivedValues: Value {
    .map(
      ValueMap(
        derived.map { (key: .string($0.name), value: $0.computed.shown) }))
  }
}

extension Computed where Outcome == Value {
  /// The value as it may be shown.
  var shown: Value { isSecret ? Generation.secretText : value }
}

extension Generation {
  /// Why a path has no value.
  public enum PathFault: Error, Sendable, Hashable {
    /// There is no such setting or derived value; the hint names one that may be meant.
    case notFound(hint: String?)
    /// It cannot be read, for this reason.
    case failed(String)
  }

  /// The value of a setting or derived value, by its path as an expression spells it.
  ///
  /// - Throws: why there is none.
  public func value(at path: String) throws(PathFault) -> Value {
    do {
      let expression = try Expression(path)
      let lookup = GenerationLookup(self)
      let value = try expression.evaluate(lookup)
      return lookup.hasReadSecret ? Self.secretText : value
    } catch {
      guard error.kind == .evaluation else { throw .failed(error.message) }
      throw .notFound(hint: error.hint)
    }
  }

  /// All settings, of which secrets are not shown.
  public var shownSettings: Value { settings.value() ?? [:] }
}

/// Finds names in a generation, without tracking.
private final class GenerationLookup: Lookup {
  private let generation: Generation
  private(set) var hasReadSecret = false

  init(_ generation: Generation) {
    self.generation = generation
  }

  func lookUp(_ name: String) -> Found? {
    if let derived = generation.derived.first(where: { $0.name == name }) {
      if derived.computed.isSecret { hasReadSecret = true }
      return .value(derived.computed.value)
    }
    if name == Program.factsName { return .value(generation.facts) }
    if name == Program.settingsName { return generation.settings.value().map(Found.value) }
    return generation.settings.value(at: Path([.key(name)])).map(Found.value)
  }
}
