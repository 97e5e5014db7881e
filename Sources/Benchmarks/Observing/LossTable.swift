import Dispatch
import Glibc
import Observation
import SettledObserving
import Synchronization

/// The same counter as a model.
@Observable
final class ModelCounter: Model {
  @ObservationIgnored let _$observationRegistrar = Tracking()
  var number = 0
}

/// A way to observe, together with the way to write that goes with it.
private struct Contender {
  var name: String
  /// Starts to observe while `write` runs on another thread with each number; true if at last the
  /// final one was seen.
  var round: @Sendable (_ writes: Writes) async -> Bool
}

/// How a round writes.
private struct Writes {
  var name: String
  var count: Int
  /// The longest pause between two writes, in microseconds.
  var pause: UInt32

  /// Calls `write` with each number, on a thread of its own, and returns when done.
  func run(_ write: @escaping @Sendable (Int) -> Void) async {
    await withCheckedContinuation { done in
      DispatchQueue.global().async {
        usleep(.random(in: 0...60))
        for number in 1...count {
          write(number)
          if pause > 0 { usleep(.random(in: 0...pause)) }
        }
        done.resume()
      }
    }
  }
}

/// Prints how many of `rounds` rounds ended with an observer that does not know the last value.
///
/// In a round a fresh observer subscribes while a writer on another thread writes. It is lost if
/// the observer still holds an older value 120 ms after the writer stopped.
///
/// Of all idioms, or of those whose name contains `idiom`.
func printLossTable(rounds: Int, of idiom: String) async {
  let kinds = [
    Writes(name: "1 write", count: 1, pause: 0),
    Writes(name: "20 writes, 0-30 us apart", count: 20, pause: 30),
    Writes(name: "burst of 1,000 writes", count: 1_000, pause: 0),
  ]
  print("Final value lost, of \(rounds) rounds each (bursts: \(max(1, rounds / 10)))\n")
  print("| idiom | \(kinds.map(\.name).joined(separator: " | ")) |")
  print("|---|\(kinds.map { _ in "---:|" }.joined())")
  for contender in contenders where idiom.isEmpty || contender.name.contains(idiom) {
    var cells: [String] = []
    for writes in kinds {
      var lost = 0
      for _ in 0..<(writes.count > 100 ? max(1, rounds / 10) : rounds) {
        lost += await contender.round(writes) ? 0 : 1
      }
      cells.append("\(lost)")
    }
    print("| \(contender.name) | \(cells.joined(separator: " | ")) |")
    fflush(nil)
  }
}

private let contenders = [
  stock("recursive withObservationTracking, main queue", StockIdiom.recursive),
  stock("AsyncStream of values, main queue", StockIdiom.stream),
  stock("AsyncStream<Void>, main queue", StockIdiom.signals),
  stock("withObservationTracking, re-armed in a Task", StockIdiom.task),
  stock("Observations", StockIdiom.observations),
  Contender(name: "observe (ours)") { writes in
    await round(writes) { counter, number in
      ObservingActor.sync { counter.number = number }
    } start: { counter, seen in
      let token = await ObservingActor.run { observe({ counter.number }) { seen.see($1) } }
      return { token.cancel() }
    }
  },
  Contender(name: "values (ours)") { writes in
    await round(writes) { counter, number in
      ObservingActor.sync { counter.number = number }
    } start: { counter, seen in
      let task = Task.detached {
        for await number in values({ counter.number }) { seen.see(number) }
      }
      return { task.cancel() }
    }
  },
]

private func stock(
  _ name: String,
  _ start: @escaping @Sendable (StockCounter, Seen) -> Task<Void, Never>?
) -> Contender {
  Contender(name: name) { writes in
    let counter = StockCounter()
    let seen = Seen()
    async let written: Void = writes.run { counter.number = $0 }
    let task = start(counter, seen)
    await written
    defer { task?.cancel() }
    return await isFinal(writes.count, seen)
  }
}

/// A round over a model; `start` returns what stops the observation.
private func round(
  _ writes: Writes,
  write: @escaping @Sendable (ModelCounter, Int) -> Void,
  start: @escaping @Sendable (ModelCounter, Seen) async -> @Sendable () -> Void
) async -> Bool {
  let counter = await ModelCounter()
  let seen = Seen()
  async let written: Void = writes.run { write(counter, $0) }
  let stop = await start(counter, seen)
  await written
  defer { stop() }
  return await isFinal(writes.count, seen)
}

/// Waits for `seen` to be `number`, at most 120 ms.
private func isFinal(_ number: Int, _ seen: Seen) async -> Bool {
  let deadline = ContinuousClock.now + .milliseconds(120)
  while seen.number != number {
    guard ContinuousClock.now < deadline else { return false }
    try? await Task.sleep(for: .microseconds(50))
  }
  return true
}
