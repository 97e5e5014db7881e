import Expressions
import SettledObserving
import SettledSettings
import SettledValues
import Targets
import Templates

/// A manifest at work: its derived values and targets as memos over the settings store.
///
/// A memo is evaluated again only when something it read changed, so one changed setting costs what
/// depends on it.
@ObservingActor
final class Program {
  /// The name of all settings in expressions.
  nonisolated static let settingsName = "settings"
  /// The name of what is known of the machine.
  nonisolated static let factsName = "facts"

  typealias DerivedMemo = Memo<Result<Computed<Value>, Refusal>, Never>
  typealias TargetMemo = Memo<Result<DesiredFile, Refusal>, Never>

  let manifest: Manifest
  let store: SettingsStore
  let facts: Value
  /// The derived values by name.
  private(set) var derived: [Value: DerivedMemo] = [:]
  /// The wanted file of each target, in the order of the manifest.
  private(set) var targets: [TargetMemo] = []
  /// The templates by the path the manifest names them with.
  let templates: Cells<Value, LoadedTemplate>

  init(_ manifest: Manifest, settings: Settings, facts: Value, destinations: Destinations) {
    self.manifest = manifest
    self.facts = facts
    store = SettingsStore(settings)
    templates = Cells(isSame: { $0.sources == $1.sources })
    for rule in manifest.derived {
      derived[.string(rule.name)] = Memo(rule.name, fallback: .failure(Refusal([]))) {
        [unowned self] in evaluate(rule)
      }
    }
    targets = manifest.targets.map { rule in
      let renderer = TargetRenderer(rule: rule, destinations: destinations)
      return Memo(rule.name, fallback: .failure(Refusal([]))) { [unowned self] in
        renderer.desired(in: self)
      }
    }
  }

  /// The files that the targets want, of those that have no faults.
  var desired: [DesiredFile] { targets.compactMap { try? $0.value.get() } }

  /// The derived values without faults, in the order of the manifest.
  var computed: [(name: String, computed: Computed<Value>)] {
    manifest.derived.compactMap { rule in
      guard case .success(let computed) = derived[.string(rule.name)]?.value else { return nil }
      return (rule.name, computed)
    }
  }

  /// Takes in settings and templates, in one transaction: what does not read a change stays.
  func update(settings: Settings, templates loaded: [Value: LoadedTemplate]) {
    transaction {
      store.replace(with: settings)
      templates.replaceAll(with: loaded)
    }
  }

  /// All faults of derived values and targets, each once.
  func faults() -> [Diagnostic] {
    let ofDerived = manifest.derived.compactMap { derived[.string($0.name)]?.value.faults }
    let ofTargets = targets.map(\.value.faults)
    return (ofDerived + ofTargets).flatMap { $0 }
  }

  private func evaluate(_ rule: DerivedRule) -> Result<Computed<Value>, Refusal> {
    let lookup = ProgramLookup(self)
    do {
      let value = try rule.expression.evaluate(lookup)
      return .success(Computed(value: value, isSecret: lookup.hasReadSecret))
    } catch {
      return .failure(Refusal(error.diagnostics(in: rule.node, of: "'\(rule.name)'", self)))
    }
  }
}

extension Result where Failure == Refusal {
  /// The faults, none for a success.
  var faults: [Diagnostic] {
    if case .failure(let refusal) = self { return refusal.diagnostics }
    return []
  }
}
