import SettledObserving
import SettledSettings
import SettledValues
import SettledYAML
import Targets

/// What a plan is compared with: the generation in force.
struct Former {
  /// What its instances want.
  private let wanted: [Wanted]
  /// Their positions by name; made when an instance is not where it was.
  private let positions = Positions()
  /// Whether its instances were made by the program that the plan is for, so that those that are
  /// the same need no look.
  let isSameProgram: Bool
  /// Whether the plan is for the same instances, with their files at the same paths.
  let hasSamePlaces: Bool
  /// The names of those that stayed as they were, since something was in their way.
  private let leftOut: Set<String>
  private let settings: Settings
  private let manifest: Manifest
  private let templates: [TemplateRule: LoadedTemplate]

  init(
    _ wanted: [Wanted], settings: Settings, loaded: Loaded, isSameProgram: Bool,
    hasSamePlaces: Bool, leftOut: Set<String>
  ) {
    self.wanted = wanted
    self.leftOut = leftOut
    self.hasSamePlaces = hasSamePlaces
    self.settings = settings
    manifest = loaded.manifest
    templates = loaded.templates
    self.isSameProgram = isSameProgram
  }

  /// Whether an instance stayed as it was, since something was in its way.
  func omits(_ instance: Wanted) -> Bool {
    !leftOut.isEmpty && leftOut.contains(instance.name)
  }

  /// What an instance wants, which is likely the one at `position`; nil where there is none.
  func instance(_ name: String, near position: Int? = nil) -> Wanted? {
    if let position, position < wanted.count, wanted[position].name.hasSameBytes(as: name) {
      return wanted[position]
    }
    return positions.of(name, in: wanted).map { wanted[$0] }
  }

  /// Whether an instance wants what it wanted, which likely stands at `position`.
  func holds(_ instance: Wanted, near position: Int) -> Bool {
    if position < wanted.count, wanted[position] === instance { return true }
    return self.instance(instance.name, near: position) == instance
  }

  /// The paths that something in `program` reads and that changed, by what reads them.
  @ObservingActor
  func changes(in program: Program) -> [ObjectIdentifier: Path] {
    program.store.changes(since: settings)
  }

  /// The template of a target where it is not what it was.
  func changedTemplate(of rule: TargetRule, now: [TemplateRule: LoadedTemplate]) -> String? {
    guard case .template(let template, _)? = rule.file?.content,
      let former = templates[template], former.sources != now[template]?.sources
    else { return nil }
    return template.path
  }

  /// The keys of a target that the manifest has another value for; nil where the target is new.
  func changedKeys(of rule: TargetRule, at position: Int) -> [String]? {
    if isSameProgram { return [] }
    let targets = manifest.targets
    let isThere = targets.indices.contains(position) && targets[position].name == rule.name
    guard let former = isThere ? targets[position] : targets.first(where: { $0.name == rule.name })
    else { return nil }
    guard case .map(let old) = former.node.value(), case .map(let new) = rule.node.value() else {
      return []
    }
    let keys = new.keys.compactMap(\.text) + old.keys.compactMap(\.text).filter { new[$0] == nil }
    return keys.filter { old[$0] != new[$0] }
  }
}

/// The positions of instances by name, made when one is asked for: most often none is.
private final class Positions {
  private var known: [Value: Int]?

  func of(_ name: String, in wanted: [Wanted]) -> Int? {
    let positions =
      known
      ?? Dictionary(wanted.enumerated().map { (.string($1.name), $0) }) { first, _ in first }
    known = positions
    return positions[.string(name)]
  }
}
