import Dispatch
import Glibc
import SettledInputs
import Synchronization

/// A thread that does one thing after the other, in the order in which they were given.
///
/// It is one thread for all the time; a dispatch queue takes now this one, now that.
final class WorkThread: Sendable {
  private let errands = Mutex<[@Sendable () -> Void]>([])
  private let signal = DispatchSemaphore(value: 0)

  /// Starts the thread; it ends with the process.
  init() throws(SystemError) {
    var thread: pthread_t = 0
    let context = Unmanaged.passRetained(self).toOpaque()
    let code = pthread_create(&thread, nil, Self.run, context)
    guard code == 0 else {
      Unmanaged<WorkThread>.fromOpaque(context).release()
      throw SystemError("start", "a thread", code: code)
    }
    pthread_detach(thread)
  }

  /// Has something done after what waits already.
  func perform(_ errand: @escaping @Sendable () -> Void) {
    errands.withLock { $0.append(errand) }
    signal.signal()
  }

  /// Waits for everything that was given so far.
  func drain() {
    let done = DispatchSemaphore(value: 0)
    perform { done.signal() }
    done.wait()
  }

  private func work() -> Never {
    while true {
      signal.wait()
      errands.withLock { $0.isEmpty ? nil : $0.removeFirst() }?()
    }
  }

  private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let context = $0 else { return nil }
    Unmanaged<WorkThread>.fromOpaque(context).takeRetainedValue().work()
  }
}
