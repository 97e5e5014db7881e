import Observation
import SettledObserving
import Synchronization

/// A model with plain properties.
@Observable
final class Limits: Model {
  @ObservationIgnored let _$observationRegistrar = Tracking()
  var maxOpen = 10
  var names: [String] = []
}

/// A model with a nested model and a memoised property.
@Observable
final class App: Model {
  @ObservationIgnored let _$observationRegistrar = Tracking()
  var limits = Limits()
  var workers = 2
  var title = "app"
  @ObservationIgnored var evaluations = 0
  @ObservationIgnored private lazy var perWorkerMemo = Memo(fallback: 0) { [unowned self] in
    evaluations += 1
    return limits.maxOpen / max(1, workers)
  }
  var perWorker: Int { perWorkerMemo.value }
}

/// Two numbers that a transaction keeps equal.
@Observable
final class Pair: Model {
  @ObservationIgnored let _$observationRegistrar = Tracking()
  var a = 0
  var b = 0
}

/// Remembers what handlers were told.
@ObservingActor
final class Log<Entry> {
  private(set) var entries: [Entry] = []
  func append(_ entry: Entry) { entries.append(entry) }
  func removeAll() { entries = [] }
}
