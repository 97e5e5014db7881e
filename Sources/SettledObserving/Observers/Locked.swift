import Glibc

/// A value that one thread at a time may touch.
///
/// `Mutex` would do, but waits in a library that the thread sanitizer does not see into: users who
/// run it would be told of races that are none.
final class Locked<Value: Sendable>: Sendable {
  // Unsafe to the compiler, which does not know what the lock guards.
  private nonisolated(unsafe) let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // Touched while the lock is held only.
  private nonisolated(unsafe) var value: Value

  init(_ value: Value) {
    self.value = value
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Calls `body` with the value, while no other thread has it.
  func withLock<Answer>(_ body: (inout Value) -> Answer) -> Answer {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body(&value)
  }
}
