public import SettledObserving
public import SettledValues

/// A type that declares which of its properties are settings.
///
/// It is a ``SettingsModel``, which is observed and updated in place, or a ``SettingsRecord``, a value.
public protocol SettingsDeclaring: SendableMetatype {
  /// Creates an instance in which every property has its default, and does nothing else.
  @ObservingActor init()
  /// The settings, in the order that documents show them.
  @ObservingActor static var settings: [Setting<Self>] { get }
  /// Whether settings that are not declared are passed over; else they are errors.
  @ObservingActor static var ignoresUnknownSettings: Bool { get }
}

extension SettingsDeclaring {
  /// False: what is not declared is likely a typing error.
  public static var ignoresUnknownSettings: Bool { false }
}

/// An observable class whose properties are settings.
///
/// One declaration gives reading, limits, defaults, a JSON Schema and a commented file:
///
/// ```swift
/// @Observable final class Shop: SettingsModel {
///   @ObservationIgnored let _$observationRegistrar = Tracking()
///   var port = 8080
///   var timeout = Duration.seconds(30)
///   let database = Database()      // another model: its instance stays the same
///
///   static let settings: [Setting<Shop>] = [
///     Setting("port", \.port, in: 1...65_535, doc: "where the shop listens"),
///     Setting("timeout", \.timeout, doc: "how long a customer waits"),
///     Setting("database", \.database, doc: "where orders are kept"),
///   ]
/// }
/// ```
///
/// What a default is says the initializer: a property that is not set any more goes back to the value
/// that a new instance has.
@ObservingActor
public protocol SettingsModel: Model, SettingsDeclaring, Sendable {}

/// A value whose properties are settings, as an element of a list or map.
public protocol SettingsRecord: SettingsDeclaring, SettingValue {}

extension SettingsModel {
  /// Takes settings over: only what differs is set, in one transaction, all or nothing.
  ///
  /// Nested models keep their identity. What is not set has its default again.
  ///
  /// - Parameters:
  ///   - settings: the settings.
  ///   - path: where those of this model are.
  ///   - isReload: whether the program runs on the model already, so that what needs a restart stays.
  /// - Returns: what changed.
  /// - Throws: all that is wrong, each with its place; then nothing is changed.
  @discardableResult
  public func update(
    from settings: Settings, at path: Path = Path(), isReload: Bool = false
  ) throws(Refusal) -> SettingsChanges {
    let changes = try changes(in: settings, at: path, isReload: isReload)
    changes.apply()
    return changes
  }

  /// Finds what taking settings over would change, and changes nothing.
  ///
  /// - Parameters:
  ///   - settings: the settings.
  ///   - path: where those of this model are.
  ///   - isReload: whether the program runs on the model already, so that what needs a restart stays.
  /// - Returns: the changes, to be applied before anything else changes the model.
  /// - Throws: all that is wrong, each with its place.
  public func changes(
    in settings: Settings, at path: Path = Path(), isReload: Bool = false
  ) throws(Refusal) -> SettingsChanges {
    let declaration = Declaration.of(Self.self)
    var changes = SettingsChanges(isReload: isReload)
    untracked {
      let slot = Slot(settings: settings, path: path, node: SettingNode(settings, at: path))
      declaration.stage(self, defaults: declaration.defaults, slot, into: &changes)
    }
    guard changes.faults.isEmpty else { throw Refusal(changes.cappedFaults) }
    return changes
  }
}

/// What taking settings over changes in a model and in those nested in it.
@ObservingActor
public struct SettingsChanges {
  /// The most findings that are told.
  public static let maximumFindings = 100

  /// The paths of what differs.
  public private(set) var paths: [Path] = []
  /// A warning for each setting that differs, and needs a restart to be taken over.
  public private(set) var warnings: [Diagnostic] = []
  let isReload: Bool
  private var steps: [@ObservingActor () -> Void] = []
  var faults: [Diagnostic] = []

  init(isReload: Bool) {
    self.isReload = isReload
  }

  /// Whether nothing is to be changed.
  public var isEmpty: Bool { steps.isEmpty }

  /// Makes the changes in one transaction.
  public func apply() {
    guard !isEmpty else { return }
    transaction {
      for step in steps { step() }
    }
  }

  mutating func add(_ path: Path, _ step: @escaping @ObservingActor () -> Void) {
    paths.append(path)
    steps.append(step)
  }

  mutating func addRestart(_ slot: Slot, _ isSecret: Bool) {
    var warning = slot.settings.fault("'\(slot.path)' needs a restart", at: slot.path)
    warning.severity = .warning
    warning.notes = []
    if isSecret { warning.excerpt = nil }
    warnings.append(warning)
  }

  var cappedFaults: [Diagnostic] {
    let rest = faults.count - Self.maximumFindings
    guard rest > 0 else { return faults }
    let more = Diagnostic(.error, "\(rest) more findings are not shown")
    return faults.prefix(Self.maximumFindings) + [more]
  }
}
