import CLinux
import Dispatch
import Glibc
import Synchronization

/// The eventfd(2) that the signal handler writes to; -1 before there is one.
private let wakeUp = Atomic<CInt>(-1)

/// Tells of SIGHUP, in a program that does not block it.
///
/// The handler stays installed from the first use on: a SIGHUP that comes later ends nothing. It is not
/// for a program that calls ``blockSignals()``, which reads its signals itself.
public final class HangUps: Sendable {
  private struct Listeners {
    var known: [UInt64: @Sendable () -> Void] = [:]
    var added: UInt64 = 0
    var source: (any DispatchSourceRead)?
  }

  private static let listeners = Mutex<Listeners>(Listeners())

  private let number: UInt64

  /// Calls `handler`, on a thread of its own, after each SIGHUP or several that come together.
  public init(_ handler: @escaping @Sendable () -> Void) throws(SystemError) {
    try Self.install()
    number = Self.listeners.withLock { listeners in
      listeners.added += 1
      listeners.known[listeners.added] = handler
      return listeners.added
    }
  }

  deinit {
    Self.listeners.withLock { $0.known[number] = nil }
  }

  /// Installs the handler, once a process.
  private static func install() throws(SystemError) {
    let failure: SystemError? = listeners.withLock { listeners in
      guard listeners.source == nil else { return nil }
      let descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
      guard descriptor >= 0 else { return SystemError("create", "eventfd") }
      wakeUp.store(descriptor, ordering: .sequentiallyConsistent)
      let source = DispatchSource.makeReadSource(
        fileDescriptor: descriptor, queue: DispatchQueue(label: "settled.hang-ups"))
      source.setEventHandler {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
        let handlers = Self.listeners.withLock { Array($0.known.values) }
        for handler in handlers { handler() }
      }
      source.resume()
      listeners.source = source
      return handle()
    }
    if let failure { throw failure }
  }

  private static func handle() -> SystemError? {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      // Only write(2), and errno as it was: see signal-safety(7).
      let saved = errno
      var one: UInt64 = 1
      _ = write(wakeUp.load(ordering: .sequentiallyConsistent), &one, 8)
      errno = saved
    }
    action.sa_flags = SA_RESTART
    return sigaction(SIGHUP, &action, nil) == 0 ? nil : SystemError("take", "SIGHUP")
  }
}
