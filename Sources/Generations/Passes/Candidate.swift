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
  public init(manifest: String, root: String? = nil) {
    self = ObservingActor.sync { Generator(manifest: manifest, root: root).prepare() }
  }
}

/// A generation that is not in force yet: a plan, and the inputs it was made from.
public struct Candidate: Sendable {
  /// The number of the generation it becomes.
  public var number: Int64
  /// The files to put into place, in the order of the targets.
  public var steps: [FileStep]
  /// The inputs.
  public var inputs: InputSet
  /// What was taken, but is likely not what was meant.
  public var warnings: [Diagnostic]
  /// Whether the inputs differ from those of the generation in force.
  public var isNew: Bool
  let manifest: Manifest

  /// The number of targets.
  public var targetCount: Int { manifest.targets.count }

  /// A finding that points at the target of a file that failed.
  public func diagnostic(of error: SystemError) -> Diagnostic {
    let step = steps.first { $0.destination == error.path || $0.desired.path == error.path }
    let rule = manifest.targets.first { $0.name == step?.desired.target }
    return manifest.diagnostic(of: error, for: rule)
  }
}

extension Manifest {
  /// A finding about a file, at the target that wants it.
  func diagnostic(of error: SystemError, for rule: TargetRule?) -> Diagnostic {
    guard let rule else { return Diagnostic(.error, error.description, hint: error.hint) }
    return rule.fileNode.fault("target '\(rule.name)': \(error)", hint: error.hint)
  }
}
