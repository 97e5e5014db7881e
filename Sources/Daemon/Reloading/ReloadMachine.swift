package import Generations
package import SettledInputs

/// Decides what the daemon does next; it does nothing itself.
///
/// One pass runs at a time. What is asked for while it runs folds into exactly one pass after it,
/// so the last state on the disk always wins.
package struct ReloadMachine {
  /// Why a pass is made, and who waits for it.
  package struct Request: Sendable, Hashable {
    /// It is the first pass of the daemon.
    package var isFirst = false
    /// A watched input moved.
    package var isWatched = false
    /// SIGHUP asked for it.
    package var isSignal = false
    /// It looks again whether a fault still stands.
    package var isConfirmation = false
    /// It tries again what failed.
    package var isRetry = false
    /// It does what is still to be done for the generation in force.
    package var isRestoration = false
    /// Something moved where a target has its file.
    package var isDrift = false
    /// The targets to be put into place again.
    package var scope: Scope?
    /// Those on the control socket who asked for a reload, and wait for the verdict.
    package var askers: [Int] = []
    /// Those who asked for targets to be put into place again, and wait for the verdict.
    package var appliers: [Int] = []

    /// Creates a request for these reasons.
    package init(
      isFirst: Bool = false, isWatched: Bool = false, isSignal: Bool = false,
      isConfirmation: Bool = false, isRetry: Bool = false, isDrift: Bool = false,
      isRestoration: Bool = false, scope: Scope? = nil, askers: [Int] = [], appliers: [Int] = []
    ) {
      self.isFirst = isFirst
      self.isWatched = isWatched
      self.isSignal = isSignal
      self.isConfirmation = isConfirmation
      self.isRetry = isRetry
      self.isDrift = isDrift
      self.isRestoration = isRestoration
      self.scope = scope
      self.askers = askers
      self.appliers = appliers
    }

    /// Somebody asked for a reload, so that systemd is told of it and a fault is told at once.
    package var isAsked: Bool { isSignal || !askers.isEmpty }

    /// The inputs are read; else the pass only looks at the files of the generation in force.
    package var readsInputs: Bool {
      isFirst || isWatched || isConfirmation || isRetry || isAsked
    }

    /// The files of targets that did not change are looked at.
    package var looksAtFiles: Bool { isFirst || isAsked || isRetry || isDrift || scope != nil }

    /// Those who wait for the verdict.
    fileprivate var waiters: [Int] { askers + appliers }
  }

  /// What came of a pass, as far as it decides what comes next.
  package enum Verdict: Sendable, Hashable {
    /// The generation is in force, a new one or the same; where something that is not required
    /// failed, it is to be tried again so often.
    case accepted(retries: Int)
    /// It was refused.
    ///
    /// `inputs` tells the bytes that were refused from others; `isKept` tells whether a generation
    /// is in force all the same.
    case refused(inputs: Int, isKept: Bool)
    /// Putting it into force failed, and everything was put back; it is to be tried again so often.
    case failed(isKept: Bool, retries: Int)
  }

  /// Something the daemon has to do.
  package enum Action: Sendable, Hashable {
    /// Tell systemd that a reload runs.
    case announceReload
    /// Run a pass.
    case runPass(Request)
    /// Let the outcome be known: log, status, watchers.
    case publish
    /// Tell systemd that the daemon is ready.
    case announceReady
    /// Answer those who wait, in the order they asked.
    case answer([Int])
    /// Ask again at this time what is due.
    case wake(at: Moment)
    /// End with this status.
    case exit(CInt)
  }

  /// How long a fault that the watcher found must stand before it is reported.
  package static let confirmationDelay = Duration.milliseconds(500)
  /// The wait before the first new try of what failed; it doubles with each further one.
  package static let firstRetry = Duration.seconds(1)
  /// The longest wait before a new try.
  package static let longestRetry = Duration.seconds(300)
  /// The exit status for a manifest that nothing can be done with (`EX_CONFIG` of sysexits.h).
  package static let refusedStatus: CInt = 78

  private var running: Request?
  private var waiting: Request?
  private var suspect: (inputs: Int, deadline: Moment)?
  private var retry: Moment?
  private var tries = 0
  /// When what is still to be done for the generation in force is, where nothing else does it.
  private var restoration: Moment?
  private var restorations = 0
  /// Whether the last inputs that were read are not in force.
  private var isBehind = false
  /// When a file that keeps drifting is to be put back.
  private var repair: Moment?
  private var isReady = false
  private var isStopping = false

  /// Whether a pass runs.
  package var isRunning: Bool { running != nil }

  /// Whether a pass runs, or a fault is still to be looked at again.
  package var isBusy: Bool { running != nil || suspect != nil }

  /// When what failed is tried again, or a file that keeps drifting is put back; nil where nothing is.
  package var nextTry: Moment? { [retry, restoration, repair].compactMap { $0 }.min() }

  /// Whether systemd waits for the pass that runs: at a start, a reload that was asked for, also one
  /// that follows it, or a stop.
  package var isAwaited: Bool {
    guard let running else { return false }
    let isAsked = running.isAsked || waiting?.isAsked == true
    return (running.isFirst && !isReady) || isAsked || isStopping
  }

  /// Creates a machine with no pass running.
  package init() {}

  /// Asks for a pass.
  package mutating func request(_ request: Request) -> [Action] {
    guard !isStopping else { return [.answer(request.waiters)] }
    // Who asks, and who edits, wants all tries anew.
    if request.isAsked || request.isWatched { tries = 0 }
    guard running == nil else {
      waiting = waiting.map { $0.folded(with: request) } ?? request
      return []
    }
    return begin(request)
  }

  /// Takes in what came of the pass that ran, whether actions of the generation in force are still
  /// to be done, and when a file that keeps drifting is to be put back.
  package mutating func passEnded(
    _ verdict: Verdict, hasPending: Bool = false, repairAt repair: Moment? = nil, now: Moment
  ) -> [Action] {
    guard let request = running else { return [] }
    running = nil
    var actions = conclude(request, verdict, now: now) + wakes(after: request)
    actions += awaitRestoration(hasPending, after: request, verdict, now: now)
    actions += awaitRepair(at: repair, after: request, verdict, now: now)
    if isStopping {
      actions.append(.exit(0))
    } else if let next = waiting {
      waiting = nil
      actions += begin(next)
    }
    return actions
  }

  /// Starts the pass that is due: one that confirms a fault, tries again what failed, or puts back a
  /// file that keeps drifting.
  package mutating func wakeDue(now: Moment) -> [Action] {
    guard running == nil, !isStopping else { return [] }
    if let suspect, suspect.deadline <= now { return begin(Request(isConfirmation: true)) }
    if let retry, retry <= now { return begin(Request(isRetry: true)) }
    if let restoration, restoration <= now { return begin(Request(isRestoration: true)) }
    if let repair, repair <= now { return begin(Request(isDrift: true)) }
    return []
  }

  /// Takes in that the files of the pass that runs are in place, and its actions follow.
  ///
  /// Units that are ordered after this one may wait for it to be ready, and the actions for them.
  package mutating func filesInPlace() -> [Action] {
    guard running?.isFirst == true, !isReady else { return [] }
    isReady = true
    return [.announceReady]
  }

  /// Ends the daemon, after the pass that runs: an apply is never cut short.
  package mutating func stop() -> [Action] {
    guard !isStopping else { return [] }
    isStopping = true
    let waiters = waiting?.waiters ?? []
    waiting = nil
    return [.answer(waiters)] + (running == nil ? [.exit(0)] : [])
  }

  private mutating func begin(_ request: Request) -> [Action] {
    running = request
    if request.readsInputs { retry = nil }
    return (request.isAsked ? [.announceReload] : []) + [.runPass(request)]
  }

  private mutating func conclude(
    _ request: Request, _ verdict: Verdict, now: Moment
  ) -> [Action] {
    switch verdict {
    case .accepted(let retries):
      if retries == 0, request.readsInputs { tries = 0 }
      return publish(request) + tryAgain(upTo: retries, now: now)
    case .failed(let isKept, let retries):
      guard isKept || isReady else { return giveUp(request) }
      // Who asks for targets gets the verdict, and may ask again.
      let isTold = !request.appliers.isEmpty || request.isRestoration
      let limit = request.readsInputs || !isTold ? retries : 0
      return publish(request) + tryAgain(upTo: limit, now: now)
    case .refused(let inputs, let isKept):
      guard isKept || isReady else { return giveUp(request) }
      guard request.readsInputs else { return publish(request) }
      let stands = request.isConfirmation && suspect?.inputs == inputs
      guard request.isFirst || !request.waiters.isEmpty || request.isAsked || stands else {
        let deadline = now + Self.confirmationDelay
        suspect = (inputs, deadline)
        return [.wake(at: deadline)]
      }
      return publish(request)
    }
  }

  private func giveUp(_ request: Request) -> [Action] {
    [.publish, .answer(request.waiters), .exit(Self.refusedStatus)]
  }

  private mutating func tryAgain(upTo limit: Int, now: Moment) -> [Action] {
    guard tries < limit else { return [] }
    let wait = min(Self.firstRetry * (1 << min(tries, 10)), Self.longestRetry)
    tries += 1
    retry = now + wait
    return [.wake(at: now + wait)]
  }

  /// What was due while a pass ran that did not do it.
  private func wakes(after request: Request) -> [Action] {
    guard !request.readsInputs else { return [] }
    return [suspect?.deadline, retry].compactMap { $0 }.map { .wake(at: $0) }
  }

  /// Sees that what is still to be done for the generation in force is done until it holds, though
  /// what the inputs say is refused, or not tried again.
  private mutating func awaitRestoration(
    _ hasPending: Bool, after request: Request, _ verdict: Verdict, now: Moment
  ) -> [Action] {
    if request.readsInputs {
      if case .accepted = verdict { isBehind = false } else { isBehind = true }
    }
    guard hasPending, isBehind, retry == nil else {
      (restoration, restorations) = (nil, hasPending ? restorations : 0)
      return []
    }
    if let restoration, restoration > now { return [.wake(at: restoration)] }
    let due = now + min(Self.firstRetry * (1 << min(restorations, 10)), Self.longestRetry)
    restorations += 1
    restoration = due
    return [.wake(at: due)]
  }

  private mutating func awaitRepair(
    at due: Moment?, after request: Request, _ verdict: Verdict, now: Moment
  ) -> [Action] {
    // A look that is refused would be refused again.
    if case .refused = verdict, !request.readsInputs { return [] }
    let known = repair
    // What became due while the pass ran was not done by it, or it is not done by any.
    repair = due.map { $0 > now ? $0 : now + Self.firstRetry }
    return repair == known ? [] : repair.map { [.wake(at: $0)] } ?? []
  }

  /// Lets the outcome be known, and those who wait for it.
  private mutating func publish(_ request: Request) -> [Action] {
    if request.readsInputs { suspect = nil }
    var actions = [Action.publish]
    if request.isAsked || (request.isFirst && !isReady) { actions.append(.announceReady) }
    isReady = true
    if !request.waiters.isEmpty { actions.append(.answer(request.waiters)) }
    return actions
  }
}

extension ReloadMachine.Request {
  /// The request that stands for both.
  fileprivate func folded(with other: Self) -> Self {
    Self(
      isFirst: isFirst || other.isFirst, isWatched: isWatched || other.isWatched,
      isSignal: isSignal || other.isSignal,
      isConfirmation: isConfirmation && other.isConfirmation,
      isRetry: isRetry && other.isRetry, isDrift: isDrift || other.isDrift,
      isRestoration: isRestoration && other.isRestoration,
      scope: scope.map { scope in other.scope.map(scope.union) ?? scope } ?? other.scope,
      askers: askers + other.askers, appliers: appliers + other.appliers)
  }
}
