import Daemon
import Generations
import SettledInputs
import Testing

@Suite struct ReloadMachineTests {
  private typealias Request = ReloadMachine.Request
  private let start = Moment(nanoseconds: 1_000_000_000)

  /// A machine whose first pass was accepted.
  private func settled() -> ReloadMachine {
    var machine = ReloadMachine()
    _ = machine.request(Request(isFirst: true))
    _ = machine.passEnded(.accepted(retries: 0), now: start)
    return machine
  }

  @Test func `the first pass ends with ready, without a reload announced`() {
    var machine = ReloadMachine()
    let first = Request(isFirst: true)
    #expect(machine.request(first) == [.runPass(first)])
    #expect(
      machine.passEnded(.accepted(retries: 0), now: start) == [.publish, .announceReady])
  }

  @Test func `a first pass that is refused ends the daemon with status 78`() {
    var machine = ReloadMachine()
    _ = machine.request(Request(isFirst: true))
    #expect(
      machine.passEnded(.refused(inputs: 1, isKept: false), now: start)
        == [.publish, .answer([]), .exit(78)])
  }

  @Test func `a first pass that is refused on top of a stored generation is ready, degraded`() {
    var machine = ReloadMachine()
    _ = machine.request(Request(isFirst: true))
    #expect(
      machine.passEnded(.refused(inputs: 1, isKept: true), now: start)
        == [.publish, .announceReady])
  }

  @Test func `a watched edit tells systemd of no reload`() {
    var machine = settled()
    let edit = Request(isWatched: true)
    #expect(machine.request(edit) == [.runPass(edit)])
    #expect(machine.passEnded(.accepted(retries: 0), now: start) == [.publish])
  }

  @Test(arguments: [
    ReloadMachine.Verdict.accepted(retries: 0), .refused(inputs: 1, isKept: true),
  ])
  func `a reload asked for is ready before it is answered, whatever its verdict`(
    verdict: ReloadMachine.Verdict
  ) {
    var machine = settled()
    let asked = Request(askers: [7])
    #expect(machine.request(asked) == [.announceReload, .runPass(asked)])
    #expect(machine.passEnded(verdict, now: start) == [.publish, .announceReady, .answer([7])])
  }

  @Test func `a signal announces its reload, and waits for no answer`() {
    var machine = settled()
    let signal = Request(isSignal: true)
    #expect(machine.request(signal) == [.announceReload, .runPass(signal)])
    #expect(
      machine.passEnded(.refused(inputs: 1, isKept: true), now: start) == [
        .publish, .announceReady,
      ])
  }

  @Test func `what is asked for during a pass folds into one pass after it`() {
    var machine = settled()
    _ = machine.request(Request(isWatched: true))
    #expect(machine.request(Request(askers: [1])).isEmpty)
    #expect(machine.request(Request(isWatched: true)).isEmpty)
    #expect(machine.request(Request(isSignal: true)).isEmpty)
    #expect(machine.request(Request(askers: [2])).isEmpty)
    let folded = Request(isWatched: true, isSignal: true, askers: [1, 2])
    #expect(
      machine.passEnded(.accepted(retries: 0), now: start) == [
        .publish, .announceReload, .runPass(folded),
      ])
    #expect(
      machine.passEnded(.accepted(retries: 0), now: start) == [
        .publish, .announceReady, .answer([1, 2]),
      ])
    #expect(!machine.isRunning)
  }

  @Test func `a fault that the watcher finds is reported when it still stands half a second later`()
  {
    var machine = settled()
    _ = machine.request(Request(isWatched: true))
    let due = start + .milliseconds(500)
    #expect(machine.passEnded(.refused(inputs: 5, isKept: true), now: start) == [.wake(at: due)])
    #expect(machine.wakeDue(now: start + .milliseconds(499)).isEmpty)
    #expect(
      machine.wakeDue(now: due) == [.runPass(Request(isConfirmation: true))])
    #expect(machine.passEnded(.refused(inputs: 5, isKept: true), now: due) == [.publish])
  }

  @Test func `a half-written file that is whole half a second later was never a fault`() {
    var machine = settled()
    _ = machine.request(Request(isWatched: true))
    _ = machine.passEnded(.refused(inputs: 5, isKept: true), now: start)
    _ = machine.request(Request(isWatched: true))
    #expect(machine.passEnded(.accepted(retries: 0), now: start) == [.publish])
    #expect(machine.wakeDue(now: start + .seconds(1)).isEmpty)
  }

  @Test func `other faulty bytes start the half second again`() {
    var machine = settled()
    _ = machine.request(Request(isWatched: true))
    _ = machine.passEnded(.refused(inputs: 5, isKept: true), now: start)
    let later = start + .milliseconds(500)
    _ = machine.wakeDue(now: later)
    #expect(
      machine.passEnded(.refused(inputs: 6, isKept: true), now: later)
        == [.wake(at: later + .milliseconds(500))])
  }

  @Test func `a stop waits for the pass, and answers those who wait for another`() {
    var machine = settled()
    _ = machine.request(Request(askers: [1]))
    _ = machine.request(Request(askers: [2]))
    #expect(machine.stop() == [.answer([2])])
    #expect(machine.request(Request(askers: [3])) == [.answer([3])])
    #expect(
      machine.passEnded(.accepted(retries: 0), now: start)
        == [.publish, .announceReady, .answer([1]), .exit(0)])
    #expect(settled().isRunning == false)
  }

  @Test func `a stop between passes is at once`() {
    var machine = settled()
    #expect(machine.stop() == [.answer([]), .exit(0)])
    #expect(machine.stop().isEmpty)
  }

  @Test func `systemd waits for the pass of an edit too, where a reload follows it`() {
    var machine = settled()
    _ = machine.request(Request(isWatched: true))
    #expect(!machine.isAwaited)
    _ = machine.request(Request(askers: [1]))
    #expect(machine.isAwaited)
    _ = machine.passEnded(.accepted(retries: 0), now: start)
    #expect(machine.isAwaited)
    _ = machine.passEnded(.accepted(retries: 0), now: start)
    #expect(!machine.isAwaited)
  }

  @Test func `what failed is tried again after 1, 2, 4, 8 and 16 seconds, and then no more`() {
    var machine = settled()
    _ = machine.request(Request(isWatched: true))
    var now = start
    for wait in [1, 2, 4, 8, 16] {
      let due = now + .seconds(wait)
      #expect(
        machine.passEnded(.failed(isKept: true, retries: 5), now: now) == [
          .publish, .wake(at: due),
        ])
      #expect(machine.wakeDue(now: due + .milliseconds(-1)).isEmpty)
      #expect(machine.wakeDue(now: due) == [.runPass(Request(isRetry: true))])
      now = due
    }
    #expect(machine.passEnded(.failed(isKept: true, retries: 5), now: now) == [.publish])
    #expect(machine.wakeDue(now: now + .seconds(1_000)).isEmpty)
  }

  @Test func `an edit gives what failed all its tries anew`() {
    var machine = settled()
    _ = machine.request(Request(isWatched: true))
    _ = machine.passEnded(.failed(isKept: true, retries: 5), now: start)
    _ = machine.wakeDue(now: start + .seconds(1))
    _ = machine.passEnded(.failed(isKept: true, retries: 5), now: start + .seconds(1))
    let edit = Request(isWatched: true)
    #expect(machine.request(edit) == [.runPass(edit)])
    #expect(
      machine.passEnded(.failed(isKept: true, retries: 5), now: start)
        == [.publish, .wake(at: start + .seconds(1))])
  }

  @Test func `what is not required is tried again for ever, at last every five minutes`() {
    var machine = settled()
    _ = machine.request(Request(isWatched: true))
    var waits: [Duration] = []
    var now = start
    for _ in 0..<12 {
      guard case .wake(let due)? = machine.passEnded(.accepted(retries: .max), now: now).last
      else { break }
      waits.append(due - now)
      now = due
      _ = machine.wakeDue(now: now)
    }
    #expect(waits.count == 12)
    #expect(waits.first == .seconds(1))
    #expect(waits.last == .seconds(300))
  }

  @Test func `what is still to be done for the generation in force is tried until it holds`() {
    var machine = settled()
    _ = machine.request(Request(isWatched: true))
    var actions = machine.passEnded(
      .failed(isKept: true, retries: 1), hasPending: true, now: start)
    #expect(actions.last == .wake(at: start + .seconds(1)))
    #expect(machine.wakeDue(now: start + .seconds(1)) == [.runPass(Request(isRetry: true))])
    var now = start + .seconds(1)
    actions = machine.passEnded(.failed(isKept: true, retries: 1), hasPending: true, now: now)
    // All of it is tried no more; what is in force is.
    for wait in [1, 2, 4, 8] {
      #expect(actions.last == .wake(at: now + .seconds(wait)))
      now = now + .seconds(wait)
      #expect(machine.wakeDue(now: now) == [.runPass(Request(isRestoration: true))])
      actions = machine.passEnded(.failed(isKept: true, retries: 1), hasPending: true, now: now)
    }
    now = now + .seconds(16)
    _ = machine.wakeDue(now: now)
    #expect(machine.passEnded(.accepted(retries: 0), now: now) == [.publish])
    #expect(machine.nextTry == nil)
  }

  @Test func `the first generation is ready when its files are in place, and only once`() {
    var machine = ReloadMachine()
    _ = machine.request(Request(isFirst: true))
    #expect(machine.filesInPlace() == [.announceReady])
    #expect(machine.filesInPlace().isEmpty)
    #expect(machine.passEnded(.accepted(retries: 0), now: start) == [.publish])
    _ = machine.request(Request(isWatched: true))
    #expect(machine.filesInPlace().isEmpty)
  }

  @Test func `a first generation whose actions fail stays up, degraded, and is tried again`() {
    var machine = ReloadMachine()
    _ = machine.request(Request(isFirst: true))
    _ = machine.filesInPlace()
    #expect(
      machine.passEnded(.failed(isKept: false, retries: 5), now: start)
        == [.publish, .wake(at: start + .seconds(1))])
  }

  @Test func `a moved file of a target has the files looked at, and reads no input`() {
    var machine = settled()
    let drift = Request(isDrift: true)
    #expect(machine.request(drift) == [.runPass(drift)])
    #expect(!drift.readsInputs && drift.looksAtFiles)
    #expect(machine.passEnded(.accepted(retries: 0), now: start) == [.publish])
  }

  @Test func `who asks for a target gets the verdict, and systemd hears of no reload`() {
    var machine = settled()
    let apply = Request(scope: .targets(["a"]), appliers: [4])
    #expect(machine.request(apply) == [.runPass(apply)])
    #expect(
      machine.passEnded(.failed(isKept: true, retries: 5), now: start) == [
        .publish, .answer([4]),
      ])
    #expect(machine.wakeDue(now: start + .seconds(10)).isEmpty, "who asked may ask again")
  }

  @Test func `an apply and a reload that wait are one pass that does both`() {
    var machine = settled()
    _ = machine.request(Request(isWatched: true))
    _ = machine.request(Request(scope: .targets(["a"]), appliers: [1]))
    _ = machine.request(Request(scope: .targets(["b"]), appliers: [2]))
    _ = machine.request(Request(askers: [3]))
    let folded = Request(scope: .targets(["a", "b"]), askers: [3], appliers: [1, 2])
    #expect(
      machine.passEnded(.accepted(retries: 0), now: start) == [
        .publish, .announceReload, .runPass(folded),
      ])
  }

  @Test func `a look at files puts off neither a fault that is waited for nor a retry`() {
    var machine = settled()
    _ = machine.request(Request(isWatched: true))
    let due = start + .milliseconds(500)
    _ = machine.passEnded(.refused(inputs: 5, isKept: true), now: start)
    _ = machine.request(Request(isDrift: true))
    #expect(machine.wakeDue(now: due).isEmpty)
    #expect(machine.passEnded(.accepted(retries: 0), now: due) == [.publish, .wake(at: due)])
    #expect(machine.wakeDue(now: due) == [.runPass(Request(isConfirmation: true))])
  }

  @Test func `what may be tried no more is not`() {
    var machine = settled()
    _ = machine.request(Request(isWatched: true))
    #expect(machine.passEnded(.failed(isKept: true, retries: 0), now: start) == [.publish])
  }

  @Test func `a file that keeps drifting is looked at again when its repair is due`() {
    var machine = settled()
    let due = start + .seconds(4)
    let look = Request(isDrift: true)
    _ = machine.request(look)
    #expect(
      machine.passEnded(.accepted(retries: 0), repairAt: due, now: start)
        == [.publish, .wake(at: due)])
    _ = machine.request(look)
    let again = machine.passEnded(.accepted(retries: 0), repairAt: due, now: start)
    #expect(again == [.publish], "one wake-up is enough")
    #expect(machine.wakeDue(now: due + .milliseconds(-1)).isEmpty)
    #expect(machine.wakeDue(now: due) == [.runPass(look)])
    #expect(machine.passEnded(.accepted(retries: 0), now: due) == [.publish])
    #expect(machine.wakeDue(now: due + .seconds(1_000)).isEmpty)
  }

  @Test func `a repair that became due during another pass is not lost, and never spins`() {
    var machine = settled()
    let due = start + .seconds(4)
    _ = machine.request(Request(isDrift: true))
    _ = machine.passEnded(.accepted(retries: 0), repairAt: due, now: start)
    _ = machine.request(Request(isWatched: true))
    #expect(machine.wakeDue(now: due).isEmpty)
    let end = due + .seconds(2)
    #expect(
      machine.passEnded(.accepted(retries: 0), repairAt: due, now: end)
        == [.publish, .wake(at: end + .seconds(1))])
    _ = machine.request(Request(isDrift: true))
    #expect(
      machine.passEnded(.refused(inputs: 1, isKept: true), repairAt: due, now: end) == [.publish])
  }
}
