import Dispatch
import Glibc
import Synchronization

/// The thread that is running the actor's code; a global, as a field would cost an indirection.
private let owner = Atomic<pthread_t>(0)

/// Runs the jobs of ``ObservingActor`` on a serial queue, so that a thread can enter and wait.
///
/// It keeps the thread that is running a job. That answers "is this the actor?" at the price of a
/// load, also where a thread of the actor is inside another queue's `sync`.
final class ActorExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "settled.observing")

  /// Whether the calling thread is running the actor's code.
  static var isCurrent: Bool { owner.load(ordering: .relaxed) == pthread_self() }

  /// Queues a job of a task.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Runs `body` as a section of its own, soon.
  func async(_ body: @escaping @ObservingActor () -> Void) {
    queue.async {
      self.own {
        ObservingActor.assume {
          body()
          Graph.endSection()
        }
      }
    }
  }

  /// Runs `body` and waits for it, for a caller that is not on the actor.
  func sync<Answer>(_ body: () throws -> Answer) rethrows -> Answer {
    try queue.sync { try own(body) }
  }

  /// Runs `body` with the calling thread as the one that runs the actor's code.
  func own<Answer>(_ body: () throws -> Answer) rethrows -> Answer {
    let previous = owner.exchange(pthread_self(), ordering: .relaxed)
    defer { owner.store(previous, ordering: .relaxed) }
    return try body()
  }

  /// Stops the program with a message where the calling code is not on the actor.
  func checkIsolated() {
    guard Self.isCurrent else {
      fatalError(
        "a model, memo or observer was touched outside of ObservingActor; "
          + "use 'await ObservingActor.run { }' or 'ObservingActor.sync { }'")
    }
  }

  /// Whether the calling code is on the actor.
  func isIsolatingCurrentContext() -> Bool? { Self.isCurrent }
}
