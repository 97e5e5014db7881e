import Control
import Dispatch
import Generations
import Glibc
import SettledInputs
import SettledObserving
import SettledSystemd
import SettledValues
import Targets

/// The daemon: one loop that watches, listens and tells, and a worker that runs the passes.
///
/// What to do is decided by ``ReloadMachine``; here it is done.
final class Daemon {
  /// What systemd is asked for beyond the longest time of a step: to kill it, and to roll back.
  private static let extensionMargin = Duration.seconds(30)

  private let options: DaemonOptions
  var log: DaemonLog
  let notifier: SettledSystemd.Notifier
  let watchdog: Duration?
  let loop: EventLoop
  let watcher: Watcher
  let worker: Worker
  let messages: Mailbox<WorkerMessage>
  private var server: ControlServer?

  var machine = ReloadMachine()
  var board: StatusBoard
  var counts = Metrics()
  let subscriptions = Subscriptions()
  /// Those who wait until nothing is under way.
  var waiters: [(Status) -> Void] = []
  /// Those who wait for what the worker finds out, by number.
  var questions: [Int: (any Sendable) -> Void] = [:]
  var lastQuestion = 0
  /// The next comparison of the inputs, and the longest time between two.
  var comparison: TimerID?
  var poll = DaemonSettings.defaultPoll
  private let state: StateFiles
  private var history: History
  private var report: PassReport?
  /// The files of targets that are watched, by path.
  private var targetFiles: Set<Value> = []
  /// What is watched: the inputs, and the files of these targets.
  private var watched: (inputs: [Value], targets: [Generation.Target]) = ([], [])
  private var askers: [Int: (Verdict) -> Void] = [:]
  private var lastAsker = 0
  private var wake: TimerID?
  /// When the command or action that runs is ended.
  private var stepEnd: Moment?
  /// What the worker waits for before a swap.
  private var swap: DispatchSemaphore?
  private var exitStatus: CInt = 0

  init(options: DaemonOptions, log: DaemonLog, environment: ServiceEnvironment) throws {
    self.options = options
    self.log = log
    notifier = SettledSystemd.Notifier(address: environment.notifyAddress)
    watchdog = environment.watchdogInterval
    loop = try EventLoop()
    watcher = Watcher()
    let messages = try Mailbox<WorkerMessage>()
    self.messages = messages
    state = StateFiles(directory: options.stateDirectory)
    let (history, damage) = state.loadHistory()
    self.history = history
    board = StatusBoard(history.entries)
    worker = try Worker(options: options, loop: { messages.post($0) })
    for damage in [damage, worker.damage].compactMap({ $0 }) { log.survived(damage) }
  }

  /// Runs until it is told to stop; the answer is the exit status.
  func run() throws -> CInt {
    try listen()
    _ = try Signals().deliver(on: loop) { [unowned self] in take($0) }
    _ = try loop.deliver(messages) { [unowned self] in take($0) }
    try watcher.attach(to: loop) { [unowned self] in look(watcher.process(at: loop.now)) }
    notifier.send(.status("starting: reading \(options.manifest)"))
    scheduleComparison()
    perform(machine.request(ReloadMachine.Request(isFirst: true)))
    try loop.run()
    subscriptions.tellAll()
    server?.flush()
    worker.drain()
    return exitStatus
  }

  private func listen() throws {
    let directory = FilePaths.directory(of: options.socket)
    try Directories.make(directory, mode: 0o755)
    let server = try ControlServer(for: self, at: options.socket)
    _ = try loop.add(server.descriptor) { _ in server.process() }
    self.server = server
  }

  // MARK: What happens

  private func take(_ signal: ReceivedSignal) {
    guard signal.number == SIGHUP else {
      log.stopping(signal)
      notifier.send(.stopping(status: "stopping"))
      perform(machine.stop())
      return extendTimeout()
    }
    perform(machine.request(ReloadMachine.Request(isSignal: true)))
    extendTimeout()
  }

  private func take(_ message: WorkerMessage) {
    switch message {
    case .filesInPlace: perform(machine.filesInPlace())
    case .quiet(let duration): watcher.waits.quiet = duration
    case .poll(let interval): compare(every: interval)
    case .logLevel(let level): log.set(options.logLevel ?? level ?? .info)
    case .stepBegins(let limit):
      stepEnd = loop.now + limit
      extendTimeout()
    case .swapIsNext(let answer):
      swap = answer
      look(watcher.process(at: loop.now))
    case .ended(let report): take(report)
    case .answered(let number, let answer): questions.removeValue(forKey: number)?(answer)
    }
  }

  /// Lets the worker go on to the swap, once no input is in the midst of a save.
  private func answerSwap() {
    guard let swap else { return }
    let isWaiting = watcher.incomplete.contains { !targetFiles.contains(.string($0)) }
    guard !isWaiting else { return }
    self.swap = nil
    swap.signal()
  }

  /// Asks systemd for the time that the command or action that runs may still take, where it counts.
  private func extendTimeout() {
    guard machine.isAwaited, let stepEnd else { return }
    notifier.send(.extendTimeout(by: max(.zero, stepEnd - loop.now) + Self.extensionMargin))
  }

  private func take(_ report: PassReport) {
    self.report = report
    stepEnd = nil
    board.isSettling = false
    let hasNewFiles = watch(report)
    // What moved between the reading or the swap and the watching has no event. It comes before the
    // pass is told of: whatever is edited upon that is found by watching, or by comparing, and counted.
    let haveMoved = report.readsInputs && report.inputs.haveMoved()
    perform(
      machine.passEnded(
        report.verdict, hasPending: report.hasPending, repairAt: report.repairs.next,
        now: loop.now))
    if haveMoved || hasNewFiles {
      perform(machine.request(ReloadMachine.Request(isWatched: haveMoved, isDrift: hasNewFiles)))
    }
    if !haveMoved { look(watcher.process(at: loop.now)) }
  }

  /// Watches the inputs, and the files of targets for changes by others; tells whether a file of a
  /// target is among them that was not watched before.
  private func watch(_ report: PassReport) -> Bool {
    let inputs = report.inputs.rules.map(WatchedInput.init)
    let targets = report.inForce?.targets ?? []
    // Nothing is to be done for 10,000 files where they are the same ones.
    guard (inputs.map(\.key), targets) != watched else { return false }
    watched = (inputs.map(\.key), targets)
    let files = targets.compactMap(\.file)
    let known = Set(watched.inputs)
    let former = targetFiles
    targetFiles = Set(files.map { Value.string($0) }).subtracting(known)
    let all = inputs + files.filter { !known.contains(.string($0)) }.map(WatchedInput.file)
    watcher.watch(all, at: loop.now)
    return !targetFiles.isSubset(of: former)
  }

  /// Does what the watcher says, and wakes up again when it wants to be asked.
  func look(_ decision: WatchSchedule.Decision) {
    if case .look(let moved) = decision {
      let isDrift = moved.contains { targetFiles.contains(.string($0)) }
      let isWatched = moved.contains { !targetFiles.contains(.string($0)) } || moved.isEmpty
      perform(machine.request(ReloadMachine.Request(isWatched: isWatched, isDrift: isDrift)))
    }
    noteHealth()
    if let wake { loop.cancel(wake) }
    defer {
      answerSwap()
      answerWaiters()
    }
    wake = watcher.nextDeadline.map { deadline in
      loop.schedule(at: deadline) { [unowned self] in look(watcher.process(at: loop.now)) }
    }
  }

  // MARK: What is done

  private func perform(_ actions: [ReloadMachine.Action]) {
    for action in actions { perform(action) }
  }

  private func perform(_ action: ReloadMachine.Action) {
    switch action {
    case .announceReload: notifier.send(.reloading(status: "reloading"))
    case .runPass(let request): startPass(request)
    case .publish: publish()
    case .announceReady: announceReady()
    case .answer(let askers): answer(askers)
    case .wake(let deadline):
      loop.schedule(at: deadline) { [unowned self] in perform(machine.wakeDue(now: loop.now)) }
    case .exit(let status):
      exitStatus = status
      loop.stop()
    }
  }

  private func startPass(_ request: ReloadMachine.Request) {
    board.isSettling = request.readsInputs || request.scope != nil
    let messages = messages
    worker.start(request) { messages.post(.ended($0)) }
  }

  private func publish() {
    guard let report, board.isNews(report) else { return }
    let wasDegraded = board.isDegraded
    let newDrifts = board.newDrifts(report)
    board.take(report)
    countPass(report)
    log.passEnded(report)
    log.drifted(newDrifts, report)
    if History.takes(report, newDrifts: newDrifts) {
      let entry = HistoryEntry(report, at: .now, newDrifts: newDrifts)
      board.take(entry)
      history.add(entry)
      let (state, history) = (state, history)
      worker.perform { state.store(history) }
    }
    notifier.send(.status(board.summary))
    if report.outcome != .unchanged || wasDegraded != board.isDegraded { announce(report) }
  }

  private func announceReady() {
    notifier.send(.ready(status: board.summary, errno: board.isDegraded ? EINVAL : 0))
  }

  private func answer(_ numbers: [Int]) {
    for number in numbers {
      let answer = askers.removeValue(forKey: number)
      answer?(board.lastVerdict ?? Verdict(generation: 0, outcome: .refused, at: .now))
    }
  }
}

/// What the worker tells the loop.
enum WorkerMessage: Sendable {
  /// The files of a generation are in place; its actions follow.
  case filesInPlace
  /// How long nothing may move before inputs are looked at.
  case quiet(Duration)
  /// How often inputs are compared that the kernel tells nothing of.
  case poll(Duration)
  /// What is logged, where the manifest says it.
  case logLevel(LogLevel?)
  /// The swap is next; the worker waits until no input is in the midst of a save.
  case swapIsNext(DispatchSemaphore)
  /// A command or an action begins that may take so long.
  case stepBegins(limit: Duration)
  /// A pass has ended.
  case ended(PassReport)
  /// A question is answered, for who asked it by this number.
  case answered(Int, any Sendable)
}

extension Daemon: ControlService {
  /// How the daemon and its targets are.
  func status() -> Status {
    var status = board.status
    status.inputs = Int64(watcher.inputs.count)
    status.warnings = watcher.warnings
    status.nextTry = machine.nextTry.map { Timestamp.now + ($0 - loop.now) }
    return status
  }

  /// The value of a setting or derived value of the generation in force.
  func value(at path: String) throws(ControlError) -> Value {
    guard let generation = board.inForce else { throw .notReady }
    do {
      return try generation.value(at: path)
    } catch {
      // Only a path may be nowhere; what else was asked is told where it is wrong.
      guard Path(spelled: path) != nil else { throw .failed(error.text) }
      throw .notFound(path: path, hint: error.diagnostics.first?.hint)
    }
  }

  /// What an expression comes to over the generation in force, and what it read.
  func evaluate(_ expression: String) throws(ControlError) -> (value: Value, reads: [String]) {
    guard let generation = board.inForce else { throw .notReady }
    do {
      let evaluation = try generation.evaluate(expression)
      return (evaluation.value, evaluation.reads.map(\.description))
    } catch {
      throw .failed(error.text)
    }
  }

  /// All settings and derived values of the generation in force.
  func values() throws(ControlError) -> (settings: Value, derived: Value) {
    guard let generation = board.inForce else { throw .notReady }
    return (generation.shownSettings, generation.derivedValues)
  }

  /// Reads all inputs again; `completion` gets the verdict.
  func reload(_ completion: @escaping (Verdict) -> Void) {
    lastAsker += 1
    askers[lastAsker] = completion
    perform(machine.request(ReloadMachine.Request(askers: [lastAsker])))
    extendTimeout()
  }

  /// Puts targets of the generation in force into place again; `completion` gets the verdict.
  func apply(_ targets: [String], _ completion: @escaping (Verdict) -> Void) {
    lastAsker += 1
    askers[lastAsker] = completion
    let scope: Scope = targets.isEmpty ? .all : .targets(Set(targets))
    perform(machine.request(ReloadMachine.Request(scope: scope, appliers: [lastAsker])))
  }

  /// Finds out what a reload would do now.
  func plan(_ completion: @escaping (PlanAnswer) -> Void) {
    ask({ $0.plan() }, completion: completion)
  }

  /// The last passes that did something or were refused, the newest last.
  func history(last count: Int) -> [HistoryEntry] { history.last(count) }
}
