import Dispatch
import SettledObserving
import Synchronization
import Testing

/// What an observer saw last, to be read anywhere.
final class Seen: Sendable {
  private let last = Atomic(-1)
  var number: Int { last.load(ordering: .acquiring) }
  func see(_ number: Int) { last.store(number, ordering: .releasing) }
}

/// Runs `body` on a thread that is not one of the concurrency runtime's.
func onThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { done in
    DispatchQueue.global().async {
      body()
      done.resume()
    }
  }
}

/// No final value is lost with writers elsewhere, subscribing while they write.
@Suite(.timeLimit(.minutes(5)))
struct SettleTests {
  struct Writing: Sendable, CustomTestStringConvertible {
    var rounds: Int
    var writes: Int
    var writers = 1
    var testDescription: String { "\(rounds) rounds of \(writes) writes by \(writers)" }
  }

  static let kinds = [
    Writing(rounds: 1_000, writes: 1), Writing(rounds: 200, writes: 20),
    Writing(rounds: 100, writes: 20, writers: 4), Writing(rounds: 5, writes: 1_000),
  ]

  /// Writes to `pair` from other threads; the last write of each writer is seen by nobody else.
  private func write(_ writing: Writing, to pair: Pair) async {
    await withTaskGroup { group in
      for _ in 0..<writing.writers {
        group.addTask {
          await onThread {
            for _ in 0..<writing.writes {
              ObservingActor.sync {
                pair.a += 1
                pair.b += 1
              }
              for _ in 0..<Int.random(in: 0...500) { _ = Atomic(0).load(ordering: .relaxed) }
            }
          }
        }
      }
    }
  }

  @Test(arguments: kinds) func `an observer knows the last value`(_ writing: Writing) async {
    for _ in 0..<writing.rounds {
      let pair = await Pair()
      let seen = Seen()
      async let written: Void = write(writing, to: pair)
      let token = await ObservingActor.run {
        observe({ [pair.a, pair.b] }) { _, new in
          #expect(new[0] == new[1])
          seen.see(new[0])
        }
      }
      await written
      #expect(seen.number == writing.writes * writing.writers)
      token.cancel()
    }
  }

  @Test(arguments: kinds) func `a reader of a sequence ends on the last value`(
    _ writing: Writing
  ) async {
    for _ in 0..<writing.rounds {
      let pair = await Pair()
      async let written: Void = write(writing, to: pair)
      for await value in values({ [pair.a, pair.b] }) {
        #expect(value[0] == value[1])
        if value[0] == writing.writes * writing.writers { break }
      }
      await written
    }
  }

  @Test func `a snapshot has the last value`() async {
    let pair = await Pair()
    let snapshot = await Snapshot { pair.a }
    await write(Writing(rounds: 1, writes: 500, writers: 4), to: pair)
    #expect(snapshot.value == 2_000)
  }

  @Test func `no handler runs after a cancellation on the actor`() async {
    let pair = await Pair()
    async let written: Void = write(Writing(rounds: 1, writes: 2_000), to: pair)
    for _ in 0..<200 {
      await ObservingActor.run {
        let runs = Log<Int>()
        let token = observe({ pair.a }) { runs.append($1) }
        token.cancel()
        let count = runs.entries.count
        transaction { pair.a += 0 }
        #expect(runs.entries.count == count)
      }
    }
    await written
  }

  @Test func `tokens may be dropped and cancelled on any thread`() async {
    let pair = await Pair()
    async let written: Void = write(Writing(rounds: 1, writes: 2_000), to: pair)
    await withTaskGroup { group in
      for _ in 0..<200 {
        group.addTask {
          let token = await ObservingActor.run { observe({ pair.a }) { _, _ in } }
          if Bool.random() { token.cancel() }
        }
      }
    }
    await written
    #expect(await ObservingActor.run { pair.a } == 2_000)
  }
}
