public import SettledInputs
public import SettledObserving
public import SettledSettings
import SettledValues
public import Targets

/// Makes candidates for the next generation from what stands on the disk.
///
/// ``prepare()`` reads and computes, and touches nothing. Its candidate comes into force with
/// ``accept()`` after it was applied; ``abandon()`` drops it, and what was in force stays.
@ObservingActor
public final class Generator {
  private let manifestPath: String
  private let destinations: Destinations
  private let facts: Value
  private let documents = Documents()
  private let lastGood: StoredInputs?
  /// What has been applied, and what is still to be done.
  public private(set) var applied: Applied
  private var looks = Looks()
  private let comparesFiles: Bool
  private let environment: ProcessEnvironment
  private let now: @Sendable () -> Moment
  private var program: Program?
  private var accepted: Prepared?
  private var prepared: Prepared?

  /// The daemon's own settings in force.
  public let daemon = DaemonSettings()
  /// When files that keep drifting are put back.
  public var repairs: Repairs { looks.repairs }
  /// The generation in force, nil where there is none yet.
  public private(set) var inForce: Generation?

  /// Everything that belongs to a candidate.
  fileprivate struct Prepared {
    var loaded: Loaded
    var settings: Settings
    var program: Program
    var wanted: [Wanted]
    var inputs: InputSet
    var applied: Applied
    /// What is done for instances that are wanted no more.
    var due: [String: [DueAction]] = [:]
    var looks: Looks
    var generation: Generation
    /// The instances that stay as they were, since they failed and the rest can do without them.
    var leftOut: Set<String> = []
  }

  /// Creates a generator.
  ///
  /// - Parameters:
  ///   - manifest: the manifest's absolute path.
  ///   - root: the directory that goes before all destinations, nil for none.
  ///   - stateDirectory: where what is written into files waits; without, beside the manifest.
  ///   - facts: what is known of the machine.
  ///   - lastGood: the generation that was in force when the daemon ended.
  ///   - applied: what had been applied then.
  ///   - comparesFiles: whether plans are made: without, nothing but the inputs is looked at.
  ///   - environment: where variables and the directory of credentials are taken from.
  ///   - now: the clock by which files that keep drifting wait for their repair.
  public init(
    manifest: String, root: String? = nil, stateDirectory: String? = nil,
    facts: Facts = Facts(RunningSystem()),
    lastGood: StoredInputs? = nil, applied: Applied = Applied(),
    comparesFiles: Bool = true, environment: ProcessEnvironment = .current,
    now: @escaping @Sendable () -> Moment = { .now }
  ) {
    self.now = now
    self.environment = environment
    self.comparesFiles = comparesFiles
    self.lastGood = lastGood
    self.applied = applied
    manifestPath = manifest
    destinations = Destinations(
      base: FilePaths.directory(of: manifest), root: root, staging: stateDirectory)
    self.facts = facts.value
  }

  /// Reads all inputs and computes what follows from them.
  ///
  /// - Parameters:
  ///   - scope: targets that are put into place again though nothing of them changed.
  ///   - looksAtFiles: whether the files of targets that did not change are looked at.
  ///   - tellsPrograms: whether missing programs are told though the manifest is no new one.
  /// - Returns: what would be applied, or why nothing can be.
  public func prepare(
    scope: Scope? = nil, looksAtFiles: Bool = true, tellsPrograms: Bool = false
  ) -> Preparation {
    var demand = Planner.Demand(scope: scope, looksAtFiles: looksAtFiles, now: now())
    demand.tellsPrograms = tellsPrograms
    return prepare(from: nil, demand)
  }

  /// Computes what follows from the inputs of the last good generation; nil where none is stored.
  ///
  /// - Parameter triesPending: whether the actions that failed before are tried again.
  /// - Returns: what would be applied, or why nothing can be.
  public func prepareLastGood(triesPending: Bool = true) -> Preparation? {
    lastGood.map { prepare(from: $0, Planner.Demand(triesPending: triesPending, now: now())) }
  }

  /// Looks at what stands where the generation in force has its files, and reads no input; nil where
  /// none is in force.
  ///
  /// - Parameters:
  ///   - scope: targets that are put into place again, and their actions done.
  ///   - triesPending: whether the actions that failed before are tried again.
  /// - Returns: what would be applied, or why nothing can be.
  public func prepareInForce(scope: Scope? = nil, triesPending: Bool = false) -> Preparation? {
    guard let accepted else { return nil }
    do {
      if let scope { try check(scope, accepted.wanted) }
      let plan = try plan(
        accepted.wanted, accepted.program, accepted.loaded, accepted.inputs,
        hasSamePlaces: true,
        Planner.Demand(scope: scope, triesPending: triesPending, now: now()))
      var prepared = accepted
      prepared.looks = plan.looks
      prepared.due = plan.due
      prepared.applied.noteWritten(plan.plan.files)
      self.prepared = prepared
      for omission in plan.omissions { leaveOut(omission.instance) }
      var candidate = Candidate(
        plan, inputs: accepted.inputs, generation: accepted.generation,
        manifest: accepted.loaded.manifest)
      candidate.keptPending = applied.pending.filter { name in
        !triesPending && scope?.holds(name) != true
      }
      return .candidate(candidate)
    } catch {
      return .refused(error, accepted.inputs)
    }
  }

  private func check(_ scope: Scope, _ wanted: [Wanted]) throws(Refusal) {
    guard case .targets(let names) = scope else { return }
    let known = wanted.flatMap { [$0.name, $0.name.nameOfTarget] }
    let unknown = names.filter { !known.contains($0) }.sorted()
    guard !unknown.isEmpty else { return }
    throw Refusal(
      unknown.map { name in
        let meant = name.closest(among: known)
        return Diagnostic(
          .error, "there is no target '\(name)' in force",
          hint: meant.map { "did you mean '\($0)'?" })
      })
  }

  private func prepare(from stored: StoredInputs?, _ demand: Planner.Demand) -> Preparation {
    let empty = InputSet(base: destinations.base, after: accepted?.inputs, from: stored)
    var loader = Loader(
      empty, documents: documents, last: accepted?.loaded, lastGood: lastGood, facts: facts,
      environment: environment)
    do {
      let loaded = try loader.load(manifestPath)
      let settings = try loaded.settings(after: accepted?.settings)
      let (program, wanted) = try settle(loaded, settings)
      return .candidate(
        try candidate(loaded, settings, program, wanted, loader.inputs, demand))
    } catch {
      abandon()
      return .refused(error, loader.inputs)
    }
  }

  /// What will have been applied when the candidate is, and `pending` is still to be done.
  public func applied(pending: Set<String>) -> Applied {
    var applied = prepared?.applied ?? self.applied
    // What is left out is still to be done for as before.
    applied.pending = pending.union(self.applied.pending.intersection(leftOut))
    applied.due = (prepared?.due ?? applied.due).filter { pending.contains($0.key) }
    return applied
  }

  /// Takes an instance out of the candidate, which stays as it was and is wanted anew by each pass.
  public func leaveOut(_ name: String) {
    guard let index = prepared?.wanted.firstIndex(where: { $0.name == name }) else { return }
    if let former = accepted?.wanted.first(where: { $0.name == name }) {
      prepared?.wanted[index] = former
    } else {
      prepared?.wanted.remove(at: index)
    }
    prepared?.applied.leaveOut(name, after: applied)
    prepared?.leftOut.insert(name)
  }

  /// The instances that the candidate, or else what is in force, leaves out.
  public var leftOut: Set<String> { (prepared ?? accepted)?.leftOut ?? [] }

  /// Takes the candidate into force; the actions of the instances in `pending` are still to be done.
  @discardableResult
  public func accept(pending: Set<String> = []) -> Generation? {
    guard let prepared else { return inForce }
    applied = applied(pending: pending)
    let former = accepted?.wanted
    accepted = prepared
    program = prepared.program
    looks = prepared.looks
    looks.repairs.end(at: now())
    looks.keep(prepared.wanted, after: former)
    inForce = prepared.generation
    // What its reader took is taken again.
    _ = try? daemon.update(
      from: prepared.loaded.manifest.daemon.settings, at: DaemonSettings.path)
    documents.keep(prepared.inputs.files)
    self.prepared = nil
    return inForce
  }

  /// Drops the candidate, which was tried and put back: its repairs count as done.
  public func fail() {
    if let prepared {
      looks.repairs = prepared.looks.repairs
      looks.repairs.end(at: now())
    }
    abandon()
  }

  /// What is to be done after actions of a candidate that failed, for what is in force: the actions
  /// of the same targets, as they read now.
  ///
  /// Before the last good generation is in force they are left to it.
  public func actionsBack(after done: [ActionStep]) -> [ActionStep] {
    fail()
    guard let accepted else {
      guard lastGood != nil else { return done }
      keepPending(done.flatMap(\.targets))
      return []
    }
    var planner = Planner(
      accepted.program, after: nil, inputs: accepted.inputs, applied: applied, looks: looks,
      templates: accepted.loaded.templates)
    return planner.actionsBack(after: done, accepted.wanted)
  }

  /// Takes in that the actions of these instances are still to be done for what stands.
  public func keepPending(_ names: [String]) { applied.keepPending(names) }

  /// Whether something is in force of which actions are still to be done.
  public var hasPending: Bool { accepted != nil && !applied.pending.isEmpty }

  /// Drops the candidate; the program goes back to what is in force.
  public func abandon() {
    prepared = nil
    guard let accepted else { return }
    accepted.program.update(settings: accepted.settings, templates: accepted.loaded.templates)
  }

  /// What is in force, or else what was prepared, to be explained.
  var examined: (program: Program, generation: Generation, wanted: [Wanted], schema: Schema?)? {
    (accepted ?? prepared).map { ($0.program, $0.generation, $0.wanted, $0.loaded.schema) }
  }

  /// Brings the settings into a program: the one in force where the manifest is the same.
  private func settle(
    _ loaded: Loaded, _ settings: Settings
  ) throws(Refusal) -> (Program, [Wanted]) {
    let program: Program
    if let known = self.program, accepted?.loaded.manifestDocument === loaded.manifestDocument {
      program = known
    } else {
      program = Program(
        loaded.manifest, settings: settings, facts: facts, destinations: destinations)
    }
    try Names.check(loaded, settings)
    program.update(settings: settings, templates: loaded.templates)
    return (program, try program.wanted())
  }

  private func candidate(
    _ loaded: Loaded, _ settings: Settings, _ program: Program, _ wanted: [Wanted],
    _ inputs: InputSet, _ demand: Planner.Demand
  ) throws(Refusal) -> Candidate {
    let hasSamePlaces = accepted.map { wanted.haveSamePlaces(as: $0.wanted) } ?? false
    let plan = try plan(
      wanted, program, loaded, inputs, hasSamePlaces: hasSamePlaces, demand)
    // Of a secret of the last good generation nothing is known but what was made of it.
    let mayDiffer = inputs.hasSecrets && !plan.plan.isEmpty
    let isNew =
      accepted.map { !$0.inputs.isSame(as: inputs) } ?? (!isLastGood(inputs) || mayDiffer)
    let number = inForce?.number ?? lastGood?.number ?? 0
    let former = hasSamePlaces ? accepted : nil
    let generation = Generation(
      number: number + (isNew ? 1 : 0), settings: settings,
      targets: former?.generation.targets
        ?? wanted.map { Generation.Target(name: $0.name, file: $0.file?.path) },
      derived: program.computed, facts: facts)
    var applied =
      former.map { Applied(wanted, after: $0.wanted, $0.applied) }
      ?? Applied(wanted, after: self.applied)
    applied.noteWritten(plan.plan.files)
    if former?.program !== program {
      applied.actions = PartedMap(program.actionsOfFiles(of: wanted))
    }
    prepared = Prepared(
      loaded: loaded, settings: settings, program: program, wanted: wanted, inputs: inputs,
      applied: applied, due: plan.due, looks: plan.looks, generation: generation)
    for omission in plan.omissions { leaveOut(omission.instance) }
    var candidate = Candidate(
      plan, inputs: inputs, generation: generation, manifest: loaded.manifest)
    candidate.isNew = isNew
    candidate.warnings =
      loaded.warnings + settings.openSecrets(in: inputs) + settings.warnings + plan.warnings
    if !demand.triesPending { candidate.keptPending = self.applied.pending }
    if isNew, let accepted { candidate.changes = Changes(of: inputs, generation, since: accepted) }
    return candidate
  }

  private func plan(
    _ wanted: [Wanted], _ program: Program, _ loaded: Loaded, _ inputs: InputSet,
    hasSamePlaces: Bool, _ demand: Planner.Demand
  ) throws(Refusal) -> Planned {
    let former = accepted.map {
      Former(
        $0.wanted, settings: $0.settings, loaded: $0.loaded, isSameProgram: $0.program === program,
        hasSamePlaces: hasSamePlaces, leftOut: $0.leftOut)
    }
    var planner = Planner(
      program, after: former, inputs: inputs, applied: applied, looks: looks,
      templates: loaded.templates)
    let plan =
      comparesFiles
      ? try planner.plan(for: wanted, demand) : try planner.emptyPlan(for: wanted)
    return Planned(
      plan: plan, warnings: planner.warnings, omissions: planner.omissions, due: planner.due,
      looks: planner.looks)
  }

  /// Tells whether the inputs are those of the generation that was in force when the daemon ended.
  private func isLastGood(_ inputs: InputSet) -> Bool {
    lastGood?.isSame(as: inputs) ?? false
  }
}

/// A plan, and what was found while it was made.
struct Planned {
  var plan: Plan
  var warnings: [Diagnostic]
  var omissions: [Omission]
  var due: [String: [DueAction]]
  var looks: Looks
}

extension Changes {
  @ObservingActor
  fileprivate init(
    of inputs: InputSet, _ generation: Generation, since former: Generator.Prepared
  ) {
    let limit = Self.pathLimit + 1
    paths = generation.settings.changes(since: former.settings, limit: limit)
      .prefix(limit).map(\.description)
    derived = Array(generation.derivedNames(changedSince: former.generation).prefix(limit))
    self.inputs = Array(inputs.names(changedSince: former.inputs).prefix(Self.inputLimit + 1))
  }
}
