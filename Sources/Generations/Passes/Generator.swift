public import SettledObserving
public import SettledSettings
import SettledValues
import Targets

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
  private var program: Program?
  private var accepted: Prepared?
  private var prepared: Prepared?

  /// The generation in force, nil where there is none yet.
  public private(set) var inForce: Generation?

  /// Everything that belongs to a candidate.
  private struct Prepared {
    var loaded: Loaded
    var settings: Settings
    var program: Program
    var desired: [DesiredFile]
    var inputs: InputSet
    var generation: Generation
  }

  /// Creates a generator for the manifest at an absolute path; `root` goes before all destinations.
  public init(
    manifest: String, root: String? = nil, facts: Facts = Facts(RunningSystem()), number: Int64 = 0
  ) {
    manifestPath = manifest
    destinations = Destinations(base: FilePaths.directory(of: manifest), root: root)
    self.facts = facts.value
  }

  /// Reads all inputs and computes what follows from them.
  public func prepare() -> Preparation {
    let empty = InputSet(base: destinations.base, after: accepted?.inputs)
    var loader = Loader(empty, documents: documents, last: accepted?.loaded, facts: facts)
    do {
      let loaded = try loader.load(manifestPath)
      let settings = try Settings(loaded.layers)
      let program = try settle(loaded, settings)
      return .candidate(try candidate(loaded, settings, program, loader.inputs))
    } catch {
      abandon()
      return .refused(error, loader.inputs)
    }
  }

  /// Takes the candidate into force.
  public func accept() -> Generation? {
    guard let prepared else { return inForce }
    accepted = prepared
    program = prepared.program
    inForce = prepared.generation
    documents.keep(prepared.inputs.files)
    self.prepared = nil
    return inForce
  }

  /// Drops the candidate; the program goes back to what is in force.
  public func abandon() {
    prepared = nil
    guard let accepted else { return }
    accepted.program.update(settings: accepted.settings, templates: accepted.loaded.templates)
  }

  /// Brings the settings into a program: the one in force where the manifest is the same.
  private func settle(_ loaded: Loaded, _ settings: Settings) throws(Refusal) -> Program {
    let program: Program
    if let known = self.program, accepted?.loaded.manifestDocument === loaded.manifestDocument {
      program = known
    } else {
      program = Program(
        loaded.manifest, settings: settings, facts: facts, destinations: destinations)
    }
    try Names.check(loaded, settings)
    program.update(settings: settings, templates: loaded.templates)
    let faults = program.faults()
    guard faults.isEmpty else { throw Refusal(faults) }
    return program
  }

  private func candidate(
    _ loaded: Loaded, _ settings: Settings, _ program: Program, _ inputs: InputSet
  ) throws(Refusal) -> Candidate {
    let desired = program.desired
    var planner = Planner(manifest: loaded.manifest, inputs: inputs)
    let former = accepted?.program === program ? accepted?.desired : nil
    let steps = try planner.steps(for: desired, after: former)
    let isNew = accepted?.inputs.digest != inputs.digest
    let generation = Generation(
      number: (inForce?.number ?? 0) + (isNew ? 1 : 0), settings: settings,
      targets: desired.map { Generation.Target(name: $0.target, file: $0.path) },
      derived: program.computed, facts: facts)
    prepared = Prepared(
      loaded: loaded, settings: settings, program: program, desired: desired, inputs: inputs,
      generation: generation)
    return Candidate(
      steps: steps, inputs: inputs, warnings: settings.warnings, isNew: isNew,
      manifest: loaded.manifest)
  }
}
