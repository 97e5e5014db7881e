import Expressions
import SettledObserving
import SettledSettings
import SettledValues
import SettledYAML
import Targets

/// Explains what is in force.
@ObservingActor
struct Explainer {
  private let program: Program
  private let generation: Generation
  private let wanted: [Wanted]
  private let schema: Schema?
  private let reading: Reading

  init(_ program: Program, _ generation: Generation, _ wanted: [Wanted], _ schema: Schema?) {
    self.program = program
    self.schema = schema
    self.generation = generation
    self.wanted = wanted
    reading = Reading(program)
  }

  /// The explanation of a setting, derived value or fact by its path, or of a target by its name;
  /// a path goes first where both exist, unless `kind` says otherwise.
  ///
  /// - Throws: that there is no such thing.
  func explain(_ name: String, as kind: Explanation.Kind?) throws(Refusal) -> Explanation {
    if kind != .target, let path = Path(spelled: name) {
      if let explanation = derived(path) ?? fact(path) ?? setting(path) { return explanation }
    }
    if kind == nil || kind == .target, let explanation = target(name) { return explanation }
    throw Refusal([
      Diagnostic(
        .error,
        "there is no " + (kind == .target ? "target" : "setting, derived value or target")
          + " '\(name)'", hint: name.closest(among: names).map { "did you mean '\($0)'?" })
    ])
  }

  private var names: [String] {
    (generation.settings.keys() ?? []) + program.manifest.derived.map(\.name)
      + generation.targets.map(\.name)
  }

  private func setting(_ path: Path) -> Explanation? {
    let settings = generation.settings
    let said = settings.explain(path)
    let value = settings.shownValue(at: path)
    guard !said.isEmpty || value != nil else { return nil }
    let origin = value == nil ? nil : settings.origin(at: path)
    var explanation = Explanation(.setting, path.description)
    explanation.description = schema?.description(of: path)
    explanation.value = value
    explanation.place = origin?.winner.place
    explanation.mentions = said.map { mention in
      Explanation.Mention(
        origin: mention.origin, place: mention.place, path: mention.path.description,
        value: mention.value.map { shown($0, mention, at: path) },
        isInForce: mention == origin?.winner)
    }
    explanation.readers = readers { $0.touches(path) }
    return explanation
  }

  /// What a layer says, where it may be shown: a map may hold a secret of another layer's.
  private func shown(_ value: Value, _ mention: Mention, at path: Path) -> Value {
    switch value {
    case .map, .list:
      return generation.settings.isSecret(at: path) || mention.isSecret
        ? Generation.secretText : value
    default: return mention.isSecret ? Generation.secretText : value
    }
  }

  private func derived(_ path: Path) -> Explanation? {
    guard case .key(let name)? = path.components.first,
      let rule = program.manifest.derived.first(where: { $0.name.hasSameBytes(as: name) })
    else { return nil }
    var explanation = Explanation(.derived, path.description)
    explanation.value = try? generation.value(at: path.description)
    explanation.place = rule.place
    explanation.expression = rule.expression.source
    explanation.reads =
      reading.reads(ofDerived: name).map(\.name) + factReads(rule.expression.roots)
    explanation.readers = readers { $0 == .derived(name) }
    return explanation
  }

  private func fact(_ path: Path) -> Explanation? {
    guard path.components.first == .key(Program.factsName),
      let value = try? generation.value(at: path.description)
    else { return nil }
    var explanation = Explanation(.fact, path.description)
    explanation.value = value
    return explanation
  }

  private func target(_ name: String) -> Explanation? {
    let rules = program.manifest.targets
    guard let position = rules.firstIndex(where: { $0.name == name.nameOfTarget }) else {
      return nil
    }
    let rule = rules[position]
    let instance = wanted.first { $0.name.hasSameBytes(as: name) }
    guard instance != nil || rule.name.hasSameBytes(as: name) else { return nil }
    var explanation = Explanation(.target, name)
    explanation.place = rule.place
    explanation.file = instance?.file?.path
    if case .template(let template, _)? = rule.file?.content {
      explanation.reads = ["template \(template)"]
    }
    explanation.reads += reading.reads(ofTarget: position, instance: instance?.name).map(\.name)
    explanation.expression = rule.follows?.expression.source
    explanation.actions = rule.actions.map(\.text)
    return explanation
  }

  /// Facts are not observed, as they do not change: those that an expression names.
  private func factReads(_ roots: [Root]) -> [String] {
    roots.filter { $0.name == Program.factsName }.map(\.path.description)
  }

  /// What reads a source, itself or through derived values, nearest first.
  private func readers(_ isMeant: (Reading.Source) -> Bool) -> [Explanation.Reader] {
    var found: [Explanation.Reader] = []
    var known: Set<String> = []
    var trails: [[String]] = [[]]
    while !trails.isEmpty {
      var next: [[String]] = []
      for trail in trails {
        func meant(_ source: Reading.Source) -> Bool {
          trail.last.map { source == .derived($0) } ?? isMeant(source)
        }
        for rule in program.manifest.derived where !known.contains(rule.name) {
          guard reading.reads(ofDerived: rule.name).contains(where: meant) else { continue }
          known.insert(rule.name)
          found.append(Explanation.Reader(kind: .derived, name: rule.name, through: trail))
          next.append(trail + [rule.name])
        }
        for instance in wanted where !known.contains("target \(instance.name)") {
          let reads = reading.reads(ofTarget: instance.rule, instance: instance.name)
          guard reads.contains(where: meant) else { continue }
          known.insert("target \(instance.name)")
          found.append(Explanation.Reader(kind: .target, name: instance.name, through: trail))
        }
      }
      trails = next
    }
    return found
  }
}

extension ActionRule {
  /// The action in a few words, without the arguments of a command: they may hold a secret.
  var text: String {
    switch self {
    case .reload(let unit): Action.reload(unit: unit).text
    case .restart(let unit): Action.restart(unit: unit).text
    case .signal(let unit, let number): Action.signal(unit: unit, number: number).text
    case .run(let command): Action.run(Command([command.node.elements.first?.text ?? ""])).text
    }
  }
}
