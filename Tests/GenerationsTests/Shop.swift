import Generations
import Glibc
import SettledInputs
import SettledObserving
import SettledValues
import Synchronization
import Targets
import TestSupport
import Testing

/// The time, as a test has it.
final class VirtualClock: Sendable {
  private let time = Mutex(Moment(nanoseconds: 0))

  var now: Moment { time.withLock { $0 } }

  func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }
}

/// A manifest and its inputs in a directory, and the generations made from them.
///
/// Applying puts the files into place and does no action.
final class Shop {
  let directory: TemporaryDirectory
  private var generator: Generator
  private let state: TemporaryDirectory
  let clock = VirtualClock()

  init(_ files: [String: String]) throws {
    directory = try TemporaryDirectory()
    state = try TemporaryDirectory()
    let (manifest, root) = (directory.path("settled.yaml"), directory.path("root"))
    let clock = clock
    generator = ObservingActor.sync {
      Generator(manifest: manifest, root: root, now: { clock.now })
    }
    for (name, text) in files { try directory.write(text, to: name) }
  }

  /// The same inputs after `applied` was applied, and the daemon ended.
  private init(after shop: Shop, _ applied: Applied) {
    directory = shop.directory
    state = shop.state
    let (manifest, root) = (directory.path("settled.yaml"), directory.path("root"))
    generator = ObservingActor.sync {
      Generator(manifest: manifest, root: root, applied: applied)
    }
  }

  /// Applies, and tells what was applied.
  func applied() throws -> Applied {
    try settle()
    let generator = generator
    return ObservingActor.sync { generator.applied(pending: []) }
  }

  /// A shop that starts after `applied` was applied.
  func restarted(after applied: Applied) -> Shop { Shop(after: self, applied) }

  /// Reads all inputs.
  func prepare() throws -> Candidate {
    let generator = generator
    switch ObservingActor.sync({ generator.prepare() }) {
    case .candidate(let candidate): return candidate
    case .refused(let refusal, _): throw refusal
    }
  }

  /// Looks at what stands where the generation in force has its files.
  func look(scope: Scope? = nil) throws -> Candidate {
    let generator = generator
    switch ObservingActor.sync({ generator.prepareInForce(scope: scope) }) {
    case .candidate(let candidate): return candidate
    case .refused(let refusal, _): throw refusal
    case nil: throw Refusal([Diagnostic(.error, "nothing is in force")])
    }
  }

  /// Ends, and starts again with what is remembered of what was applied; the actions of `pending` are
  /// still to be done.
  func restart(pending: Set<String> = []) throws {
    let old = generator
    let applied = ObservingActor.sync { old.applied(pending: pending) }
    let (manifest, root) = (directory.path("settled.yaml"), directory.path("root"))
    // What is remembered goes through the text of its file.
    var bytes: [UInt8] = []
    try JSON.write(applied.value, into: &bytes)
    let read = Applied(try JSON.read(bytes))
    generator = ObservingActor.sync { Generator(manifest: manifest, root: root, applied: read) }
  }

  /// Reads all inputs, and applies what follows from them; the actions of `pending` are still to be
  /// done.
  @discardableResult
  func settle(pending: Set<String> = []) throws -> Plan {
    try settle(prepare(), pending: pending)
  }

  /// Drops what was prepared as something that was tried and failed.
  func fail() {
    let generator = generator
    ObservingActor.sync { generator.fail() }
  }

  /// When files that keep drifting are put back.
  var repairs: Repairs {
    let generator = generator
    return ObservingActor.sync { generator.repairs }
  }

  /// Applies a candidate.
  @discardableResult
  func settle(_ candidate: Candidate, pending: Set<String> = []) throws -> Plan {
    let transaction = FileTransaction(candidate.plan.files, stateDirectory: state.path)
    try transaction.stage()
    try transaction.swap()
    try transaction.commit()
    let generator = generator
    _ = ObservingActor.sync { generator.accept(pending: pending) }
    return candidate.plan
  }

  /// The text of a destination.
  func text(_ path: String) -> String? { directory.read("root" + path) }

  /// The names in a directory of destinations.
  func names(_ path: String) -> [String] { TestSupport.names(in: directory.path("root" + path)) }
}

extension Plan {
  /// Why each file is written, by its target.
  var reasons: [String: String] {
    Dictionary(uniqueKeysWithValues: files.map { ($0.desired.target, $0.reasons.text) })
  }

  /// What the plan does, a line a step: for a test to compare.
  var lines: [String] {
    files.map { "\($0.change.rawValue) \($0.desired.target)" } + actions.map(\.action.text)
  }
}
