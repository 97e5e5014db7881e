import Control
import Dispatch
import Generations
import SettledInputs
import SettledObserving
import SettledValues

/// What the worker found out for who asked.
typealias ObservingAnswer = Result<ValueMap, ControlError>

extension Daemon {
  /// How long those who watch wait for a pass that runs.
  private static let watcherDelay = Duration.milliseconds(100)

  /// Explains something of the generation in force.
  func explain(
    _ name: String, as kind: String?, _ completion: @escaping (ObservingAnswer) -> Void
  ) {
    let kind = kind.flatMap(Explanation.Kind.init)
    ask { worker in
      worker.explain(name, as: kind)
    } completion: { [unowned self] answer in
      completion(answer.map { self.completed($0) }.mapError { self.completed($0) })
    }
  }

  /// Adds to an error what a path that is not there may have been meant to be.
  private func completed(_ error: ControlError) -> ControlError {
    guard case .notFound(let path, nil) = error, let generation = board.inForce else {
      return error
    }
    do throws(Refusal) {
      _ = try generation.value(at: path)
      return error
    } catch {
      return .notFound(path: path, hint: error.diagnostics.first?.hint)
    }
  }

  /// Finds what is read by what.
  func graph(_ completion: @escaping (ObservingAnswer) -> Void) {
    ask({ $0.graph() }, completion: completion)
  }

  /// Has a client told of changes.
  func watch(_ subscription: Subscription) {
    subscriptions.add(subscription, now: event, board.inForce)
  }

  /// Waits until nothing is under way.
  func wait(looks: Bool, _ completion: @escaping (Status) -> Void) {
    waiters.append(completion)
    if looks, board.inForce != nil { look(watcher.compare(at: loop.now)) } else { answerWaiters() }
  }

  /// Counts and measures.
  func metrics() -> String {
    counts.text(status(), watcher, clients: subscriptions.count)
  }

  /// Answers those who wait, where nothing is under way.
  func answerWaiters() {
    // Where inputs are polled there is always a next look.
    let isQuiet = watcher.nextDeadline == nil || watcher.health != .ok
    guard !machine.isBusy, board.lastVerdict != nil, isQuiet else { return }
    let waiting = waiters
    waiters = []
    for waiter in waiting { waiter(status()) }
  }

  /// Has watching clients told of what a pass brought.
  func announce(_ report: PassReport) {
    let changes = report.outcome == .applied ? report.changes : Changes()
    announce(changed: changes.paths + changes.derived)
  }

  /// Has watching clients told of how the daemon is.
  func announceState() { announce(changed: []) }

  private func announce(changed: [String]) {
    guard subscriptions.count > 0 else { return }
    let isUnderWay = subscriptions.isBehind
    subscriptions.announce(event, changed: changed, board.inForce)
    if !isUnderWay { tellWatchers() }
  }

  /// Counts a pass.
  func countPass(_ report: PassReport) {
    guard let verdict = board.lastVerdict else { return }
    counts.take(verdict.outcome, duration: report.duration, evaluations: report.evaluations)
  }

  /// Tells those who watch, a few at a time; a pass that runs has the processor before them, but not
  /// for long.
  private func tellWatchers(since start: Moment = .now) {
    guard subscriptions.isBehind else { return }
    let isLeft = machine.isRunning && loop.now - start < Self.watcherDelay
    loop.schedule(after: isLeft ? Self.watcherDelay / 20 : .zero) { [unowned self] in
      if !isLeft { subscriptions.tellSome() }
      tellWatchers(since: start)
    }
  }

  private var event: WatchEvent {
    WatchEvent(
      state: board.state, generation: board.inForce?.number ?? 0, at: .now, summary: board.summary)
  }

  /// Has the worker find something out, after the pass that runs.
  func ask<Answer: Sendable>(
    _ question: @escaping @Sendable (Worker) -> Answer,
    completion: @escaping (Answer) -> Void
  ) {
    lastQuestion += 1
    questions[lastQuestion] = { if let answer = $0 as? Answer { completion(answer) } }
    let (worker, messages, number) = (worker, messages, lastQuestion)
    worker.perform { messages.post(.answered(number, question(worker))) }
  }

  /// Adds to an explanation what only the daemon knows: when it changed, how a target is.
  private func completed(_ wire: ValueMap) -> ValueMap {
    guard var explanation = Explanation(wire: .map(wire)) else { return wire }
    if explanation.kind == .target {
      let target = status().targets.first { $0.name == explanation.name }
      explanation.state = target?.state.rawValue
      explanation.reason = target?.reason
      let run = board.changes.run(of: explanation.name)
      explanation.ran = run?.text
      explanation.changed = run?.at
    } else if let path = Path(spelled: explanation.name) {
      explanation.changed = board.changes.change(at: path)
    }
    return explanation.wire
  }
}

extension Worker {
  fileprivate func explain(_ name: String, as kind: Explanation.Kind?) -> ObservingAnswer {
    ObservingActor.sync {
      do throws(Refusal) {
        guard let explanation = try generator.explain(name, as: kind) else {
          return .failure(.notReady)
        }
        return .success(explanation.wire)
      } catch {
        return .failure(.notFound(path: name, hint: error.diagnostics.first?.hint))
      }
    }
  }

  fileprivate func graph() -> ObservingAnswer {
    ObservingActor.sync { generator.graph.map { .success($0.wire) } ?? .failure(.notReady) }
  }
}
