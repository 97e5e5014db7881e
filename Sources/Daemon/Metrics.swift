import Control
import SettledInputs
import SettledValues

/// What the daemon counts and measures, as OpenMetrics text (the OpenMetrics specification 1.0).
struct Metrics {
  /// The upper bounds of the histogram's buckets in seconds.
  private static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]

  private var outcomes: [Verdict.Outcome: Int] = [:]
  private var buckets = Array(repeating: 0, count: bounds.count + 1)
  private var seconds = 0.0
  private(set) var evaluations = 0

  /// Takes in what a pass came to.
  mutating func take(
    _ outcome: Verdict.Outcome, duration: Duration, evaluations: Int
  ) {
    let (whole, attoseconds) = duration.components
    let time = Double(whole) + Double(attoseconds) / 1e18
    outcomes[outcome, default: 0] += 1
    buckets[Self.bounds.firstIndex { time <= $0 } ?? Self.bounds.count] += 1
    seconds += time
    self.evaluations = evaluations
  }

  /// The text, for the present status and watcher.
  func text(_ status: Status, _ watcher: Watcher, clients: Int) -> String {
    var page = Page()
    page.family("settled_build", "info", "The version of settled.")
    page.line("settled_build_info{version=\"\(Release.version)\"} 1")
    page.family("settled_state", "stateset", "How the daemon is.")
    for state in Status.State.allCases {
      page.line(
        "settled_state{settled_state=\"\(state.rawValue)\"} \(state == status.state ? 1 : 0)")
    }
    page.gauge("settled_generation", "The number of the generation in force.", status.generation)
    reloads(&page)
    page.family("settled_targets", "gauge", "The targets, by state.")
    for state in Status.Target.State.allCases {
      let count = status.targets.count { $0.state == state }
      page.line("settled_targets{state=\"\(state.rawValue)\"} \(count)")
    }
    page.gauge("settled_inputs", "The inputs that are watched.", status.inputs)
    page.gauge(
      "settled_inotify_watches", "The watches that the kernel holds.", Int64(watcher.watchCount))
    page.gauge("settled_watchers", "The clients that are told of changes.", Int64(clients))
    page.counter(
      "settled_missed_by_inotify", "Changes that a comparison found and no event told.",
      watcher.missedByInotify)
    page.counter(
      "settled_inotify_overflows", "How often the kernel lost events.", watcher.overflows)
    page.counter(
      "settled_evaluations", "Evaluations of derived values and targets.", evaluations)
    return page.text + "# EOF\n"
  }

  private func reloads(_ page: inout Page) {
    page.family("settled_reloads", "counter", "The passes over the inputs, by outcome.")
    for outcome in Verdict.Outcome.allCases {
      page.line("settled_reloads_total{outcome=\"\(outcome.rawValue)\"} \(outcomes[outcome] ?? 0)")
    }
    let name = "settled_reload_duration_seconds"
    page.family(name, "histogram", "How long passes took.", unit: "seconds")
    var count = 0
    for (position, bucket) in buckets.enumerated() {
      count += bucket
      let bound = position < Self.bounds.count ? "\(Self.bounds[position])" : "+Inf"
      page.line("\(name)_bucket{le=\"\(bound)\"} \(count)")
    }
    page.line("\(name)_count \(count)")
    page.line("\(name)_sum \(seconds)")
  }
}

/// Lines of OpenMetrics text.
private struct Page {
  private(set) var text = ""

  mutating func line(_ line: String) { text += line + "\n" }

  mutating func family(_ name: String, _ type: String, _ help: String, unit: String? = nil) {
    line("# TYPE \(name) \(type)")
    if let unit { line("# UNIT \(name) \(unit)") }
    line("# HELP \(name) \(help)")
  }

  mutating func gauge(_ name: String, _ help: String, _ value: Int64) {
    family(name, "gauge", help)
    line("\(name) \(value)")
  }

  mutating func counter(_ name: String, _ help: String, _ value: Int) {
    family(name, "counter", help)
    line("\(name)_total \(value)")
  }
}
