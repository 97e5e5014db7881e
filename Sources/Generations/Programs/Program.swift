import Expressions
import SettledObserving
import SettledSettings
import SettledValues

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

  let manifest: Manifest
  let store: SettingsStore
  let facts: Value
  let destinations: Destinations
  /// The derived values by name.
  private(set) var derived: [Value: DerivedMemo] = [:]
  private var targets: [TargetProgram] = []
  /// The instances of all targets in the order of the manifest, as they were last asked for.
  private var instances = MemoList<TargetProgram.Outcome>([])
  /// The templates by what the manifest says of them.
  let templates: Cells<TemplateRule, LoadedTemplate>

  init(_ manifest: Manifest, settings: Settings, facts: Value, destinations: Destinations) {
    self.manifest = manifest
    self.facts = facts
    self.destinations = destinations
    store = SettingsStore(settings)
    templates = Cells(isSame: { $0.sources == $1.sources })
    for rule in manifest.derived {
      derived[.string(rule.name)] = Memo(rule.name, fallback: .failure(Refusal([]))) {
        [unowned self] in evaluate(rule)
      }
    }
    targets = manifest.targets.enumerated().map { position, rule in
      TargetProgram(rule, at: position, in: self, destinations)
    }
  }

  /// The derived values without faults, in the order of the manifest.
  var computed: [(name: String, computed: Computed<Value>)] {
    manifest.derived.compactMap { rule in
      guard case .success(let computed) = derived[.string(rule.name)]?.value else { return nil }
      return (rule.name, computed)
    }
  }

  /// Takes in settings and templates, in one transaction: what does not read a change stays.
  func update(settings: Settings, templates loaded: [TemplateRule: LoadedTemplate]) {
    transaction {
      store.replace(with: settings)
      templates.replaceAll(with: loaded)
    }
  }

  /// The target at a position in the manifest.
  func target(_ position: Int) -> TargetProgram { targets[position] }

  /// What all instances of all targets want, in the order of the manifest.
  ///
  /// - Throws: all faults of derived values and targets, each once.
  func wanted() throws(Refusal) -> [Wanted] {
    var isRearranged = false
    for target in targets where target.arrange() { isRearranged = true }
    if isRearranged { instances = MemoList(targets.flatMap(\.memos)) }
    let outcomes = instances.values
    var wanted: [Wanted] = []
    wanted.reserveCapacity(outcomes.count)
    var hasFaults = targets.contains { $0.fault != nil }
    for outcome in outcomes {
      switch outcome {
      case .success(let instance?): wanted.append(instance)
      case .success(nil): break
      case .failure: hasFaults = true
      }
    }
    let faults = manifest.derived.flatMap { derived[.string($0.name)]?.value.faults ?? [] }
    guard !hasFaults, faults.isEmpty else { throw Refusal(faults + targetFaults(beside: faults)) }
    return wanted
  }

  /// The faults of all targets in the order of the manifest, each once.
  private func targetFaults(beside known: [Diagnostic]) -> [Diagnostic] {
    var faults: [Diagnostic] = []
    for fault in targets.flatMap(\.faults) where !known.contains(fault) && !faults.contains(fault) {
      faults.append(fault)
    }
    return faults
  }

  private func evaluate(_ rule: DerivedRule) -> Result<Computed<Value>, Refusal> {
    let lookup = ProgramLookup(self)
    do {
      let value = try rule.expression.evaluate(lookup)
      return .success(Computed(value: value, isSecret: lookup.hasReadSecret))
    } catch {
      return .failure(
        Refusal(
          error.diagnostics(
            in: rule.node, of: "'\(rule.name)'", self, isSecret: lookup.hasReadSecret)))
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
