import SettledObserving
import SettledSettings
import SettledValues
import Targets

/// Finds out why the instances of a program want something else than before.
@ObservingActor
struct Reasons {
  private let program: Program
  private let former: Former?
  private let templates: [TemplateRule: LoadedTemplate]
  /// What changed of what is read; found when it is first asked for.
  private var changes: [ObjectIdentifier: Path]?

  init(_ program: Program, after former: Former?, templates: [TemplateRule: LoadedTemplate]) {
    self.program = program
    self.former = former
    self.templates = templates
  }

  /// Why an instance wants another file, or follows another value; `fallback` where that is not
  /// known.
  mutating func reasons(for instance: Wanted, otherwise fallback: Reason) -> [Reason] {
    guard let former else { return [fallback] }
    let rule = program.manifest.targets[instance.rule]
    guard let keys = former.changedKeys(of: rule, at: instance.rule) else { return [.new] }
    var reasons = settings(instance, former)
    if let name = former.changedTemplate(of: rule, now: templates) {
      reasons.append(.template(name))
    }
    if !keys.isEmpty { reasons.append(.manifest(keys: keys, at: rule.place)) }
    if reasons.isEmpty { reasons = former.instance(instance.name) == nil ? [.new] : [] }
    return reasons.isEmpty ? [fallback] : reasons
  }

  private mutating func settings(_ instance: Wanted, _ former: Former) -> [Reason] {
    let known = changes ?? former.changes(in: program)
    changes = known
    guard !known.isEmpty else { return [] }
    let paths = program.target(instance.rule).reads(of: instance.key, upTo: Reason.limit + 1) {
      known[$0] != nil
    }.compactMap { known[$0] }
    // A path above another one that changed tells nothing more.
    var told: [Path] = []
    for path in paths where !told.contains(path) {
      let isAbove = paths.contains { $0 != path && $0.components.starts(with: path.components) }
      if !isAbove { told.append(path) }
    }
    return told.map { .setting($0, at: program.store.settings.place(at: $0)) }
  }
}
