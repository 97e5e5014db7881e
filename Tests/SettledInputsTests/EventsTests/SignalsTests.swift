import Glibc
import SettledInputs
import Testing

struct SignalsTests {
  /// Runs `body` with the daemon's signals blocked on this thread, and puts the old state back.
  private func blocked(_ body: () throws -> Void) rethrows {
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &before)
    blockSignals()
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
  }

  @Test func `a signal comes to the loop with its sender`() throws {
    try blocked {
      let (loop, signals) = (try EventLoop(), try Signals())
      var received: [ReceivedSignal] = []
      let registration = try signals.deliver(on: loop) { received.append($0) }
      pthread_kill(pthread_self(), SIGHUP)
      try loop.turn()
      loop.remove(registration)
      #expect(received == [ReceivedSignal(number: SIGHUP, sender: getpid(), user: getuid())])
    }
  }

  @Test func `a signal that came before there was a loop is not lost`() throws {
    try blocked {
      pthread_kill(pthread_self(), SIGTERM)
      let received = try Signals().takeAll()
      #expect(received.map(\.number) == [SIGTERM])
    }
  }

  @Test func `a storm of one signal comes once`() throws {
    try blocked {
      let signals = try Signals()
      for _ in 0..<10_000 { pthread_kill(pthread_self(), SIGHUP) }
      #expect(signals.takeAll().map(\.number) == [SIGHUP])
      #expect(signals.takeAll() == [])
    }
  }

  @Test func `the daemon's own signals and nothing else are blocked`() {
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &before)
    blocked {
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      for signal in 1..<CInt(SIGSYS) {
        let isOurs = [SIGHUP, SIGTERM, SIGINT].contains(signal)
        #expect(sigismember(&mask, signal) == (isOurs ? 1 : sigismember(&before, signal)))
      }
    }
  }
}
