import CLinux
import Glibc

/// The signals that the loop takes: reload, and two ways to ask for the end.
private let daemonSignals: [CInt] = [SIGHUP, SIGTERM, SIGINT]

private func daemonSignalSet() -> sigset_t {
  var set = sigset_t()
  sigemptyset(&set)
  for signal in daemonSignals { sigaddset(&set, signal) }
  return set
}

/// Blocks SIGHUP, SIGTERM and SIGINT for this thread and all that it creates; ignores SIGPIPE, and
/// SIGXFSZ, so that a file beyond a limit is an error and no end in the midst of an apply.
///
/// SIGCHLD has its default again: where whoever started the process ignored it, the kernel would
/// tell nobody how a command ended (wait(2)).
///
/// It comes first in `main`: a signal sent before there is a loop waits until `Signals` reads it,
/// and no other thread can be killed by one. Both states outlive exec(3), so whoever starts a
/// command resets them for it.
public func blockSignals() {
  var set = daemonSignalSet()
  pthread_sigmask(SIG_BLOCK, &set, nil)
  for ignored in [SIGPIPE, SIGXFSZ] { signal(ignored, SIG_IGN) }
  signal(SIGCHLD, SIG_DFL)
}

/// A signal and who sent it.
public struct ReceivedSignal: Sendable, Hashable {
  /// The signal's number.
  public var number: Int32
  /// The process that sent it, 0 for the kernel.
  public var sender: Int32
  /// The user that process runs as.
  public var user: UInt32

  /// Creates a signal as its receiver sees it.
  public init(number: Int32, sender: Int32, user: UInt32) {
    self.number = number
    self.sender = sender
    self.user = user
  }
}

/// The signals that `blockSignals` keeps back, as something to read (signalfd(2)).
public final class Signals {
  private let descriptor: CInt

  /// Creates a source of signals, which must have been blocked before.
  public init() throws(SystemError) {
    var set = daemonSignalSet()
    descriptor = signalfd(-1, &set, CInt(SFD_CLOEXEC | SFD_NONBLOCK))
    guard descriptor >= 0 else { throw SystemError("create", "signalfd") }
  }

  deinit { close(descriptor) }

  /// Takes the signals that came in; the same one sent several times meanwhile comes once.
  public func takeAll() -> [ReceivedSignal] {
    var received: [ReceivedSignal] = []
    var record = signalfd_siginfo()
    while read(descriptor, &record, MemoryLayout<signalfd_siginfo>.size) > 0 {
      received.append(
        ReceivedSignal(
          number: Int32(bitPattern: record.ssi_signo),
          sender: Int32(bitPattern: record.ssi_pid), user: record.ssi_uid))
    }
    return received
  }

  /// Calls `handler` with every signal, on the loop's thread.
  ///
  /// The loop keeps this source until the registration is removed.
  public func deliver(
    on loop: EventLoop, to handler: @escaping (ReceivedSignal) -> Void
  ) throws(SystemError) -> EventLoop.Registration {
    try loop.add(descriptor) { _ in
      for signal in self.takeAll() { handler(signal) }
    }
  }
}
