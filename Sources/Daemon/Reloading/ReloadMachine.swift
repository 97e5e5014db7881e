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
    /// Those on the control socket who wait for the verdict.
    package var askers: [Int] = []

    /// Creates a request for these reasons.
    package init(
      isFirst: Bool = false, isWatched: Bool = false, isSignal: Bool = false,
      isConfirmation: Bool = false, askers: [Int] = []
    ) {
      self.isFirst = isFirst
      self.isWatched = isWatched
      self.isSignal = isSignal
      self.isConfirmation = isConfirmation
      self.askers = askers
    }

    /// Somebody asked for a reload, so that systemd is told of it and a fault is told at once.
    package var isAsked: Bool { isSignal || !askers.isEmpty }
  }

  /// What came of a pass, as far as it decides what comes next.
  package enum Verdict: Sendable, Hashable {
    /// The generation is in force, a new one or the same.
    case accepted
    /// It was refused.
    ///
    /// `inputs` tells the bytes that were refused from others; `isKept` tells whether a generation
    /// is in force all the same.
    case refused(inputs: Int, isKept: Bool)
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
    /// Look again at this time.
    case confirm(at: Moment)
    /// End with this status.
    case exit(CInt)
  }

  /// How long a fault that the watcher found must stand before it is reported.
  package static let confirmationDelay = Duration.milliseconds(500)
  /// The exit status for a manifest that nothing can be done with (`EX_CONFIG` of sysexits.h).
  package static let refusedStatus: CInt = 78

  private var running: Request?
  private var waiting: Request?
  private var suspect: (inputs: Int, deadline: Moment)?
  private var isStopping = false

  /// Whether a pass runs.
  package var isRunning: Bool { running != nil }

  /// Creates a machine with no pass running.
  package init() {}

  /// Asks for a pass.
  package mutating func request(_ request: Request) -> [Action] {
    guard !isStopping else { return [.answer(request.askers)] }
    guard running == nil else {
      waiting = waiting.map { $0.folded(with: request) } ?? request
      return []
    }
    return begin(request)
  }

  /// Takes in what came of the pass that ran.
  package mutating func passEnded(_ verdict: Verdict, now: Moment) -> [Action] {
    guard let request = running else { return [] }
    running = nil
    var actions = conclude(request, verdict, now: now)
    if isStopping {
      actions.append(.exit(0))
    } else if let next = waiting {
      waiting = nil
      actions += begin(next)
    }
    return actions
  }

  /// Looks again, where a fault is due to be confirmed.
  package mutating func confirmationDue(now: Moment) -> [Action] {
    guard let suspect, suspect.deadline <= now, running == nil, !isStopping else { return [] }
    return begin(Request(isConfirmation: true))
  }

  /// Ends the daemon, after the pass that runs: an apply is never cut short.
  package mutating func stop() -> [Action] {
    guard !isStopping else { return [] }
    isStopping = true
    let askers = waiting?.askers ?? []
    waiting = nil
    return [.answer(askers)] + (running == nil ? [.exit(0)] : [])
  }

  private mutating func begin(_ request: Request) -> [Action] {
    running = request
    return (request.isAsked ? [.announceReload] : []) + [.runPass(request)]
  }

  private mutating func conclude(
    _ request: Request, _ verdict: Verdict, now: Moment
  ) -> [Action] {
    if case .refused(let inputs, let isKept) = verdict {
      guard isKept else {
        return [.publish, .answer(request.askers), .exit(Self.refusedStatus)]
      }
      let stands = request.isConfirmation && suspect?.inputs == inputs
      guard request.isFirst || request.isAsked || stands else {
        let deadline = now + Self.confirmationDelay
        suspect = (inputs, deadline)
        return [.confirm(at: deadline)]
      }
    }
    suspect = nil
    var actions = [Action.publish]
    if request.isAsked || request.isFirst { actions.append(.announceReady) }
    if !request.askers.isEmpty { actions.append(.answer(request.askers)) }
    return actions
  }
}

extension ReloadMachine.Request {
  /// The request that stands for both.
  fileprivate func folded(with other: Self) -> Self {
    Self(
      isFirst: isFirst || other.isFirst, isWatched: isWatched || other.isWatched,
      isSignal: isSignal || other.isSignal,
      isConfirmation: isConfirmation && other.isConfirmation, askers: askers + other.askers)
  }
}
