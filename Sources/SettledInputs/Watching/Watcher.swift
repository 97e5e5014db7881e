import Glibc
import SettledValues

/// Tells when to look at inputs, from one inotify descriptor for all of them.
///
/// What is watched is what is loaded: call `watch` with the inputs before they are read, and again
/// whenever reading them shows others. It tells when to look and never what changed; that is for
/// whoever compares the content. It belongs to the loop's thread.
public final class Watcher {
  /// The reads of one batch of events; what is left is told again by the descriptor.
  private static let readsPerBatch = 64
  /// How long the kernel may take to tell what a look already shows.
  private static let grace = Duration.milliseconds(20)

  /// The inputs that are watched.
  public private(set) var inputs: [WatchedInput] = []
  /// How many changes a comparison has found that no event told.
  public private(set) var missedByInotify = 0
  /// How often the kernel has lost events, upon which everything is looked at.
  public private(set) var overflows = 0
  /// The time between two looks at what the kernel does not tell.
  public var pollInterval: Duration
  /// Whether all changes are told.
  public private(set) var health = WatchHealth.ok

  private let open: () throws(SystemError) -> any Notifier
  private let trails = Trails()
  private let mounts = MountTable()
  private var schedule: WatchSchedule
  private var openFailure: SystemError?
  private var nextPoll: Moment?
  private var attachment: Attachment?

  /// Creates a watcher of nothing; without a notifier it polls, and tries again with each poll.
  public init(
    waits: WatchSchedule.Waits = WatchSchedule.Waits(), pollInterval: Duration = .seconds(1),
    open: @escaping () throws(SystemError) -> any Notifier = { () throws(SystemError) in
      try Inotify()
    }
  ) {
    schedule = WatchSchedule(waits: waits)
    self.pollInterval = pollInterval
    self.open = open
    openNotifier()
  }

  /// The waits in force.
  public var waits: WatchSchedule.Waits {
    get { schedule.waits }
    set { schedule.waits = newValue }
  }

  /// The inputs that are in the midst of a save, as far as was processed: modified and perhaps still
  /// open for writing, or vanished and perhaps about to return.
  public var incomplete: [String] { schedule.incomplete }

  /// What becomes readable when there is something to process; nil while there is no notifier.
  public var descriptor: CInt? { trails.table?.notifier.descriptor }

  /// The number of watches the kernel holds for this watcher.
  public var watchCount: Int { trails.table?.count ?? 0 }

  /// The instant to call `process` at, if nothing becomes readable before it.
  public var nextDeadline: Moment? {
    [schedule.nextLook, nextPoll].compactMap { $0 }.min()
  }

  /// Watches these inputs, and no others any more.
  public func watch(_ inputs: [WatchedInput], at now: Moment) {
    for input in inputs { trails.add(input) }
    for input in self.inputs {
      for path in trails.remove(input) { schedule.forget(path) }
    }
    self.inputs = inputs
    updateHealth(at: now)
  }

  /// Reads what happened, and tells what to do.
  public func process(at now: Moment) -> WatchSchedule.Decision {
    settle(takeSigns(), at: now)
    if let poll = nextPoll, poll <= now { look(at: now) }
    return schedule.decide(at: now)
  }

  /// Looks at every input for changes that no event told, and tells what to do.
  ///
  /// It is the safety net under the events: what it finds is counted in `missedByInotify`.
  public func compare(at now: Moment) -> WatchSchedule.Decision {
    settle(takeSigns(), at: now)
    let found = settle(Signs(.polled, for: trails.all), at: now)
    if !found.isEmpty, health == .ok, let descriptor {
      // The kernel tells a change a little after it can be seen.
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&ready, 1, CInt(Self.grace.wholeNanoseconds / 1_000_000))
      let signs = takeSigns()
      missedByInotify += Set(found.keys).subtracting(trails.paths(of: signs)).count
      settle(signs, at: now)
    }
    return schedule.decide(at: now)
  }

  /// Calls `wake` on the loop's thread whenever there is something to process.
  ///
  /// The loop keeps `wake` until `detach` is called.
  public func attach(to loop: EventLoop, _ wake: @escaping () -> Void) throws(SystemError) {
    attachment = Attachment(loop, wake: wake)
    try register()
  }

  /// Leaves the loop.
  public func detach() {
    attachment?.leave()
    attachment = nil
  }

  /// Takes all events that are there; a change of the mounts may be one on any way.
  private func takeSigns() -> Signs {
    var signs = mounts?.takeChange() == true ? Signs(.way, for: trails.all) : Signs()
    guard let notifier = trails.table?.notifier else { return signs }
    for _ in 0..<Self.readsPerBatch {
      let events = notifier.takeEvents()
      if events.isEmpty { return signs }
      if !trails.sort(events, into: &signs) {
        overflows += 1
        signs = Signs(.complete, for: trails.all)
      }
    }
    return signs
  }

  @discardableResult
  private func settle(_ signs: Signs, at now: Moment) -> [Value: Movement] {
    guard !signs.isEmpty else { return [:] }
    let movements = trails.settle(signs)
    for case (.string(let path), let movement) in movements {
      schedule.note(movement, of: path, at: now)
    }
    updateHealth(at: now)
    return movements
  }

  /// Looks at what the kernel does not tell, and tries to have it told again.
  private func look(at now: Moment) {
    let isBlind = trails.table == nil
    if isBlind { openNotifier() }
    settle(Signs(.polled, for: isBlind ? trails.all : Array(trails.failing)), at: now)
    nextPoll = nil
    updateHealth(at: now)
  }

  private func openNotifier() {
    do {
      trails.table = WatchTable(try open())
      openFailure = nil
      try register()
    } catch {
      trails.table = nil
      openFailure = error
    }
  }

  private func register() throws(SystemError) {
    try attachment?.register(trails.table?.notifier, mounts)
  }

  private func updateHealth(at now: Moment) {
    guard let failure = openFailure ?? trails.failure else {
      health = .ok
      nextPoll = nil
      return
    }
    health = .polling(reason: failure.watchingReason)
    nextPoll = nextPoll ?? now + pollInterval
  }
}

extension SystemError {
  /// Why changes are not told, and what to do about it (inotify(7)).
  fileprivate var watchingReason: String {
    let remedy: String? =
      switch code {
      case EMFILE: "raise the sysctl fs.inotify.max_user_instances, or LimitNOFILE= of the unit"
      case ENFILE: "raise the sysctl fs.file-max"
      case ENOSPC: "raise the sysctl fs.inotify.max_user_watches"
      default: nil
      }
    return description + (remedy.map { "; \($0)" } ?? "")
  }
}
