public import SettledInputs
import SettledObserving
public import SettledValues
import SettledYAML
public import Targets

/// What a pass over the inputs came to.
public enum Preparation: Sendable {
  /// The inputs are good: this is what applying them does.
  case candidate(Candidate)
  /// The inputs are refused; they are watched all the same.
  case refused(Refusal, InputSet)
}

extension Preparation {
  /// Makes one pass over a manifest, by its absolute path, from any thread but the actor's own.
  ///
  /// Without `comparesFiles` nothing but the inputs is looked at, and the plan is empty. With what was
  /// `applied`, as a state directory tells it, the plan has what is to be removed and to be done again.
  public init(
    manifest: String, root: String? = nil, stateDirectory: String? = nil,
    applied: Applied = Applied(), comparesFiles: Bool = true
  ) {
    self = ObservingActor.sync {
      Generator(
        manifest: manifest, root: root, stateDirectory: stateDirectory, applied: applied,
        comparesFiles: comparesFiles
      ).prepare()
    }
  }
}

/// What a generation has otherwise than the one before it.
public struct Changes: Sendable, Hashable {
  /// How many paths and derived values are told, each; one more is kept to show that there are more.
  public static let pathLimit = 10_000
  /// How many inputs are told; one more is kept to show that there are more.
  public static let inputLimit = 20

  /// The paths of settings that are not what they were.
  public var paths: [String] = []
  /// The derived values that are not what they were.
  public var derived: [String] = []
  /// The inputs, as messages show them, that are not what they were, came or went.
  public var inputs: [String] = []

  /// Creates what tells of no change.
  public init() {}
}

/// A generation that is not in force yet: a plan, and the inputs it was made from.
public struct Candidate: Sendable {
  /// The number of the generation it becomes.
  public var number: Int64
  /// What applying it does.
  public var plan: Plan
  /// The instances whose actions failed before, and that it does not try again.
  public var keptPending: Set<String> = []
  /// The instances that stay as they were, since something is in their way.
  public var omissions: [Omission]
  /// The inputs.
  public var inputs: InputSet
  /// What was taken, but is likely not what was meant.
  public var warnings: [Diagnostic]
  /// Whether the inputs differ from those of the generation in force.
  public var isNew = false
  /// What is not as in the generation in force; nothing where none is.
  public var changes = Changes()
  /// What became, by other hands, of files that settled wrote, and is not put right by the plan; by
  /// instance.
  public var drifts: [String: Drift]
  /// The generation it becomes.
  public var generation: Generation
  let manifest: Manifest

  init(_ planned: Planned, inputs: InputSet, generation: Generation, manifest: Manifest) {
    number = generation.number
    plan = planned.plan
    self.inputs = inputs
    warnings = planned.warnings
    omissions = planned.omissions
    self.generation = generation
    self.manifest = manifest
    drifts = planned.looks.drifts
  }

  /// How often what failed is tried again: for the targets of an action, where they are required;
  /// nil for without end.
  public func retries(of targets: [String], isRequired: Bool) -> Int? {
    let counts = targets.map { manifest.rule(of: $0)?.retries }
    if isRequired { return counts.map { $0 ?? TargetRule.defaultRetries }.max() ?? 0 }
    return counts.contains(nil) ? nil : counts.compactMap { $0 }.max()
  }

  /// The number of targets.
  public var targetCount: Int { manifest.targets.count }

  /// The findings of an apply that failed, each at the target it is about.
  public func diagnostics(of failure: Applier.Failure) -> [Diagnostic] {
    switch failure {
    case .outOfDate: [Diagnostic(.error, "the inputs moved while files were staged")]
    case .system(let error): [diagnostic(of: error)]
    case .test(let test, let reason, let output):
      [
        diagnostic(
          "'\(test.command.arguments.first ?? "")' failed: \(reason)", test.target, output,
          isSecret: test.command.isSecret)
      ]
    case .action(let step, let reason, let output):
      [
        diagnostic(
          "\(step.action.text) failed: \(reason)", step.targets.first ?? "", output,
          isSecret: step.action.isSecret)
      ]
    case .notPutBack(let error, let failure):
      diagnostics(of: failure) + [
        Diagnostic(.error, "\(error), while putting back what stood there", hint: error.hint)
      ]
    case .notActedBack(let steps, let reason, let failure):
      diagnostics(of: failure)
        + steps.map { step in
          diagnostic(
            "\(step.action.text) failed for what was put back as well, and is tried again: \(reason)",
            step.targets.first ?? "", "", isSecret: false)
        }
    }
  }

  /// Leaves out the instance that an apply failed for before any action, where the generation can do
  /// without it.
  ///
  /// - Returns: what was left out; nil where the failure stands.
  public mutating func leaveOut(after failure: Applier.Failure) -> Omission? {
    guard let omission = omission(of: failure),
      manifest.rule(of: omission.instance)?.isRequired == false
    else { return nil }
    warnings += diagnostics(of: failure)
    plan.leaveOut(omission.instance)
    omissions.append(omission)
    return omission
  }

  private func omission(of failure: Applier.Failure) -> Omission? {
    switch failure {
    case .test(let test, let reason, _): Omission(test, reason: reason)
    case .system(let error):
      step(of: error).map { Omission($0.desired.target, file: Obstacle(error)) }
    default: nil
    }
  }

  /// The first step that a failure can be of: on its file, or on a directory on the way there.
  private func step(of error: SystemError) -> FileStep? {
    plan.files.first { [$0.destination, $0.desired.path, $0.staged].contains(error.path) }
      ?? plan.files.first { $0.destination.startsWithBytes(error.path + "/") }
  }

  private func diagnostic(of error: SystemError) -> Diagnostic {
    let step = step(of: error)
    return manifest.diagnostic(
      of: error, for: step.flatMap { manifest.rule(of: $0.desired.target) })
  }

  /// A finding about an instance, with what a command wrote.
  private func diagnostic(
    _ message: String, _ instance: String, _ output: String, isSecret: Bool
  ) -> Diagnostic {
    let lines = output.parts(between: "\n").suffix(Self.shownLines)
    let said = named("it said: " + lines.joined(separator: " | "))
    let hint =
      if isSecret {
        "run it by hand to see what it says: that is not shown, for what it is about holds a secret"
      } else {
        lines.isEmpty ? nil : generation.withoutSecrets(said)
      }
    let message = "target '\(instance)': \(message)"
    guard let rule = manifest.rule(of: instance) else {
      return Diagnostic(.error, message, hint: hint)
    }
    return Diagnostic(
      .error, message, at: rule.place,
      excerpt: rule.node.excerpt(at: rule.place, length: rule.name.count), hint: hint)
  }

  /// What a command wrote, with the names of new files, made by chance, as those they will have.
  private func named(_ output: String) -> String {
    guard output.containsBytes(FileStep.stagedPrefix) else { return output }
    return plan.files.reduce(output) { output, step in
      output.replacingBytes(of: step.staged, with: step.desired.path)
    }
  }

  /// How many of the last lines that a command wrote are shown.
  private static let shownLines = 5
}

extension Manifest {
  /// A finding about a file, at the target that wants it.
  func diagnostic(of error: SystemError, for rule: TargetRule?) -> Diagnostic {
    guard let rule else { return Diagnostic(.error, error.description, hint: error.hint) }
    let node = rule.file?.node ?? rule.node
    return node.fault("target '\(rule.name)': \(error)", hint: error.hint)
  }

  /// The rule that an instance was made from: `vhost` for `vhost[shop]`.
  func rule(of instance: String) -> TargetRule? {
    let name = instance.nameOfTarget
    return targets.first { $0.name == name }
  }
}
