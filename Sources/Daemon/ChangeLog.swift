import Control
import Generations
import SettledValues
import Targets

/// When values last changed, and what last became of targets, as the history tells it.
struct ChangeLog {
  /// What was last done for a target.
  struct Run {
    /// When, and what made it.
    var at: Explanation.Change
    /// What was done to its file, and why.
    var step: (done: String, reason: String)?
    /// What was done after that.
    var actions: [String] = []
    /// Whether all of it was put back.
    var isPutBack = false

    /// What was done and why.
    var text: String {
      let file = step.map { ["\($0.done) \($0.reason)"] } ?? []
      return (file + actions).joined(separator: "; ") + (isPutBack ? "; all was put back" : "")
    }

    /// What was done to the file, or else after that, with the generation that it belongs to.
    var note: String {
      guard let step else {
        return "\(actions.joined(separator: "; ")) in generation \(at.generation)"
      }
      return "\(step.done) in generation \(at.generation) \(step.reason)"
    }
  }

  /// How many paths, and targets, are remembered.
  private static let limit = Changes.pathLimit

  /// From where on every change is known.
  private var start: Explanation.Change?
  private var changes: [Path: Explanation.Change] = [:]
  private var runs: [String: Run] = [:]

  /// Takes in what is remembered, the newest last.
  init(_ entries: [HistoryEntry] = []) {
    for entry in entries { take(entry) }
  }

  /// Takes in what a pass did.
  mutating func take(_ entry: HistoryEntry) {
    let stamp = Explanation.Change(
      generation: entry.generation, at: entry.at, isChange: true, cause: entry.cause.rawValue,
      inputs: entry.inputs)
    note(entry, stamp)
    guard entry.outcome == .applied else { return }
    let paths =
      entry.paths.compactMap { Path(spelled: $0) } + entry.derived.map { Path([.key($0)]) }
    // What a start found otherwise than it was before is not known, nor what was too much to keep.
    let isOther = entry.cause == .start && start?.generation != entry.generation
    if start == nil || isOther || entry.isPartial || changes.count + paths.count > Self.limit {
      start = stamp
      start?.isChange = false
      changes = [:]
    }
    for path in paths.prefix(Self.limit) { changes[path] = stamp }
  }

  private mutating func note(_ entry: HistoryEntry, _ stamp: Explanation.Change) {
    var done: [String: Run] = [:]
    for step in entry.steps {
      // Of a drift it was only told.
      guard let change = FileStep.Change(rawValue: step.change) else { continue }
      done[step.target, default: Run(at: stamp)].step = (change.participle, step.reason)
    }
    for act in entry.actions {
      for name in act.targets { done[name, default: Run(at: stamp)].actions.append(act.text) }
    }
    if runs.count + done.count > Self.limit { runs = [:] }
    let removed = Set(entry.steps.filter { $0.change == "remove" }.map(\.target))
    for (name, var run) in done {
      run.isPutBack = entry.outcome != .applied
      runs[name] = removed.contains(name) && !run.isPutBack ? nil : run
    }
  }

  /// When what lies at a path, or below or above it, last changed.
  func change(at path: Path) -> Explanation.Change? {
    let last = changes.filter { known, _ in
      known.components.starts(with: path.components)
        || path.components.starts(with: known.components)
    }.values.max { $0.generation < $1.generation }
    return last ?? start
  }

  /// What was last done for a target, nil where that is not known.
  func run(of target: String) -> Run? { runs[target] }
}

extension HistoryEntry {
  /// Whether it does not tell of everything that changed.
  fileprivate var isPartial: Bool {
    let most = max(paths.count, derived.count)
    return (isCut && most >= Self.listLimit) || most > Changes.pathLimit
  }
}

extension HistoryEntry.Act {
  /// What became of it, in a few words.
  fileprivate var text: String {
    switch outcome {
    case .done: "\(action): done"
    case .skipped: "\(action): skipped (\(reason))"
    case .failed: "\(action): failed: \(reason)"
    }
  }
}

extension FileStep.Change {
  /// What became of the file.
  var participle: String {
    switch self {
    case .create: "created"
    case .replace: "replaced"
    case .attributes: "given its rights"
    case .remove: "removed"
    }
  }
}
