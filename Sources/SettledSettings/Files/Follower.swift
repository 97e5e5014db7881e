internal import SettledInputs
internal import SettledValues

/// The loop that follows files, on a thread of its own.
final class Follower {
  /// What the loop is asked for.
  enum Request: Sendable {
    /// Read all again.
    case reload(Reload.Cause)
    /// Read all again, and tell what it came to.
    case answer(@Sendable (Reload) -> Void)
    /// End.
    case stop
  }

  /// Takes settings over into the model; gives what changed, and warnings.
  typealias Update = @Sendable (Settings) -> Result<([Path], [Diagnostic]), Refusal>

  /// How long a fault must stand in a file that changed before it is told.
  private static let confirmation = Duration.milliseconds(500)
  /// How often files are compared in case the kernel told nothing.
  private static let comparison = Duration.seconds(30)

  private var loader: SettingsLoader
  /// Owned by this alone: what it keeps to be done later must not keep it.
  private let loop: EventLoop
  private let watcher = Watcher()
  private let update: Update
  private let report: (Reload) -> Void
  /// The inputs that the last pass refused.
  private var refused: Int?
  /// The inputs whose fault was told.
  private var told: Int?
  private var wake: TimerID?

  private init(
    _ loader: SettingsLoader, update: @escaping Update, report: @escaping (Reload) -> Void
  ) throws(SystemError) {
    self.loader = loader
    self.update = update
    self.report = report
    loop = try EventLoop()
  }

  /// Follows until it is asked to stop; who asks for anything after that is told that it is over.
  static func follow(
    _ loader: SettingsLoader, asked requests: Mailbox<Request>, update: @escaping Update,
    report: @escaping (Reload) -> Void
  ) {
    do {
      try Follower(loader, update: update, report: report).run(requests)
    } catch {
      let fault = Diagnostic(.error, "files are not followed: \(error)")
      report(Reload(cause: .watched, outcome: .refused([fault]), warnings: []))
    }
    for case .answer(let answer) in requests.close() { answer(.ended) }
  }

  private func run(_ requests: Mailbox<Request>) throws {
    _ = try loop.deliver(requests) { [unowned self] in take($0) }
    try watcher.attach(to: loop) { [unowned self] in look() }
    defer { watcher.detach() }
    watch()
    scheduleComparison()
    try loop.run()
  }

  private func take(_ request: Request) {
    switch request {
    case .reload(let cause): tell(pass(cause))
    case .answer(let answer):
      let reload = pass(.asked)
      tell(reload)
      answer(reload)
    case .stop: loop.stop()
    }
  }

  /// Does what the watcher says, and wakes up again when it wants to be asked.
  private func look() {
    if case .look = watcher.process(at: loop.now) { lookAtFiles() }
    if let wake { loop.cancel(wake) }
    wake = watcher.nextDeadline.map { deadline in
      loop.schedule(at: deadline) { [unowned self] in look() }
    }
  }

  private func lookAtFiles() {
    let former = (refused, told)
    let reload = pass(.watched)
    switch reload.outcome {
    case .applied: tell(reload)
    case .unchanged: if former.1 != nil { tell(reload) }
    case .refused where refused == former.0: break
    case .refused: loop.schedule(after: Self.confirmation) { [unowned self] in confirm() }
    }
  }

  /// Tells a fault that still stands; one that is new has to stand as long.
  private func confirm() {
    guard let inputs = refused, inputs != told else { return }
    let reload = pass(.watched)
    guard reload.isRefused, refused != inputs else { return tell(reload) }
    loop.schedule(after: Self.confirmation) { [unowned self] in confirm() }
  }

  private func tell(_ reload: Reload) {
    told = refused
    report(reload)
  }

  private func pass(_ cause: Reload.Cause) -> Reload {
    var warnings: [Diagnostic] = []
    let outcome: Reload.Outcome
    do {
      let settings = try loader.load()
      let (paths, restarts) = try update(settings).get()
      warnings = settings.warnings + restarts
      outcome = paths.isEmpty ? .unchanged : .applied(paths)
      refused = nil
    } catch {
      outcome = .refused(error.diagnostics)
      refused = loader.inputs.digest
    }
    watch()
    return Reload(cause: cause, outcome: outcome, warnings: warnings)
  }

  /// Watches what was read or looked for; what moved before that has no event.
  private func watch() {
    watcher.watch(loader.inputs.rules.map(WatchedInput.init), at: loop.now)
    if loader.inputs.haveMoved() {
      loop.schedule(after: .zero) { [unowned self] in lookAtFiles() }
    }
  }

  private func scheduleComparison() {
    loop.schedule(after: Self.comparison) { [unowned self] in
      if case .look = watcher.compare(at: loop.now) { lookAtFiles() }
      look()
      scheduleComparison()
    }
  }
}
