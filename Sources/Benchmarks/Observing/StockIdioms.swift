import Dispatch
import Observation
import Synchronization

/// A counter as the stock facilities want it: written and read on any thread.
@Observable
final class StockCounter: Sendable {
  @ObservationIgnored private let storage = Mutex(0)

  var number: Int {
    get {
      access(keyPath: \.number)
      return storage.withLock { $0 }
    }
    set {
      withMutation(keyPath: \.number) { storage.withLock { $0 = newValue } }
    }
  }
}

/// What an observer saw last.
final class Seen: Sendable {
  private let last = Atomic(-1)
  var number: Int { last.load(ordering: .acquiring) }
  func see(_ number: Int) { last.store(number, ordering: .releasing) }
}

/// Continuous observation as it is written with stock facilities.
///
/// Each starts to observe a counter and returns a task to cancel afterwards, if there is one.
enum StockIdiom {
  /// A function that calls itself through the main queue.
  static func recursive(_ counter: StockCounter, _ seen: Seen) -> Task<Void, Never>? {
    withObservationTracking {
      seen.see(counter.number)
    } onChange: {
      DispatchQueue.main.async { _ = recursive(counter, seen) }
    }
    return nil
  }

  /// An `AsyncStream` of values, the current one first.
  static func stream(_ counter: StockCounter, _ seen: Seen) -> Task<Void, Never>? {
    let stream = AsyncStream<Int> { continuation in
      @Sendable func observe() {
        let number = withObservationTracking {
          counter.number
        } onChange: {
          DispatchQueue.main.async { observe() }
        }
        continuation.yield(number)
      }
      observe()
    }
    return Task.detached { for await number in stream { seen.see(number) } }
  }

  /// An `AsyncStream` of signals to read again.
  static func signals(_ counter: StockCounter, _ seen: Seen) -> Task<Void, Never>? {
    let stream = AsyncStream<Void> { continuation in
      @Sendable func observe() {
        withObservationTracking {
          _ = counter.number
        } onChange: {
          continuation.yield()
          DispatchQueue.main.async { observe() }
        }
      }
      observe()
    }
    return Task.detached {
      seen.see(counter.number)
      for await _ in stream { seen.see(counter.number) }
    }
  }

  /// A function that calls itself through a task.
  static func task(_ counter: StockCounter, _ seen: Seen) -> Task<Void, Never>? {
    withObservationTracking {
      seen.see(counter.number)
    } onChange: {
      Task { _ = task(counter, seen) }
    }
    return nil
  }

  /// The standard library's sequence.
  static func observations(_ counter: StockCounter, _ seen: Seen) -> Task<Void, Never>? {
    Task.detached {
      for await number in Observations({ counter.number }) { seen.see(number) }
    }
  }
}
