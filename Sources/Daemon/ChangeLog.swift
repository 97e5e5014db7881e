import Generations
import SettledValues
import Targets

/// When values last changed, and targets last ran, since the daemon started.
struct ChangeLog {
  /// How many paths are remembered; beyond that the oldest are forgotten.
  private static let limit = 10_000

  /// What changed in the last generation: paths of settings, and names of derived values.
  private(set) var latest: [Path] = []
  private var start: Explanation.Change?
  private var changes: [Path: Explanation.Change] = [:]
  private var runs: [String: (text: String, at: Explanation.Change)] = [:]
  /// Whether something was forgotten, so that nothing can be said of what is not known.
  private var hasForgotten = false

  /// Takes in what a pass brought, after `former` was in force.
  mutating func take(_ report: PassReport, after former: Generation?, at time: Timestamp) {
    latest = []
    guard let generation = report.inForce else { return }
    let stamp = Explanation.Change(generation: generation.number, at: time, isChange: true)
    note(report, stamp)
    guard let former else {
      start = Explanation.Change(generation: generation.number, at: time, isChange: false)
      return
    }
    guard former.number != generation.number else { return }
    latest = generation.changes(since: former)
    if changes.count + latest.count > Self.limit {
      changes = [:]
      hasForgotten = true
    }
    for path in latest.prefix(Self.limit) { changes[path] = stamp }
  }

  private mutating func note(_ report: PassReport, _ stamp: Explanation.Change) {
    for step in report.steps {
      runs[step.target] = ("its file changed \(step.reasons.text)", stamp)
    }
    for action in report.actions {
      for name in action.targets {
        let before = runs[name].flatMap { $0.at == stamp ? $0.text + "; " : nil } ?? ""
        runs[name] = (before + "\(action.text): \(action.end)", stamp)
      }
    }
    if runs.count > Self.limit { runs = [:] }
  }

  /// When what lies at a path, or below or above it, last changed.
  func change(at path: Path) -> Explanation.Change? {
    let last = changes.filter { known, _ in
      known.components.starts(with: path.components)
        || path.components.starts(with: known.components)
    }.values.max { $0.generation < $1.generation }
    return last ?? (hasForgotten ? nil : start)
  }

  /// When a target last ran, and what was done.
  func run(of target: String) -> (text: String, at: Explanation.Change)? { runs[target] }
}
