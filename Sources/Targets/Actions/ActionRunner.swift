import SettledSystemd

/// What became of an action.
public enum ActionResult: Sendable, Hashable {
  /// It was done.
  case done
  /// There was nothing to do, for this reason.
  case skipped(String)
  /// It failed, for this reason; the output is the end of what a command wrote.
  case failed(String, output: String = "")
  /// What it acts upon was down before, and stays so for this reason: no fault of the new files.
  case stillDown(String)
}

extension ActionResult {
  /// Why it was not done, where that is a failure.
  var failure: String? {
    switch self {
    case .failed(let reason, _), .stillDown(let reason): reason
    case .done, .skipped: nil
    }
  }
}

/// Does actions, in order.
public protocol ActionRunner {
  /// Does one action.
  func run(_ step: ActionStep) -> ActionResult
  /// Looks again, some time after, whether the units acted upon are still up.
  ///
  /// - Returns: the first unit that is not, and why.
  func confirm() -> (step: ActionStep, reason: String)?
}

/// Does actions on this machine: unit jobs over systemd's bus, commands as processes.
public final class SystemActions: ActionRunner {
  private let units: Units
  private var settling: [(step: ActionStep, state: UnitState)] = []
  /// The units that were up, and may have gone down when they were acted upon.
  private var downed: Set<String> = []
  /// Whether units are passed over where there is no bus, as where an image is built.
  private let needsNoBus: Bool

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - needsNoBus: whether units are passed over where there is no bus of systemd's.
  ///   - progress: called while a unit is waited for; ends the wait with false.
  public init(needsNoBus: Bool = false, progress: @escaping () -> Bool = { true }) {
    self.needsNoBus = needsNoBus
    units = Units(progress: progress)
  }

  /// Does one action, and waits for its end.
  public func run(_ step: ActionStep) -> ActionResult {
    switch step.action {
    case .reload(let unit): run(.reload, unit, step)
    case .restart(let unit): run(.restart, unit, step)
    case .signal(let unit, let number):
      result(of: units.signal(unit, number, within: step.timeout), step)
    case .run(let command): command.run().actionResult
    }
  }

  /// Looks at every unit acted upon, two seconds after the last of them.
  public func confirm() -> (step: ActionStep, reason: String)? {
    defer { settling = [] }
    let failures = units.confirm(settling.map(\.state))
    for (entry, failure) in zip(settling, failures) {
      guard let failure else { continue }
      downed.insert(entry.state.name)
      return (entry.step, "the unit \(failure)")
    }
    return nil
  }

  private func run(_ verb: UnitVerb, _ unit: String, _ step: ActionStep) -> ActionResult {
    let starts = downed.contains(unit)
    let outcome = units.run(verb, unit, within: step.timeout, starts: starts)
    switch outcome {
    case .failed(.job), .failed(.notActive): downed.insert(unit)
    default: break
    }
    return result(of: outcome, step)
  }

  private func result(of outcome: UnitOutcome, _ step: ActionStep) -> ActionResult {
    switch outcome {
    case .done(let state, _):
      settling.append((step, state))
      return .done
    case .skipped(let state): return .skipped(state.summary)
    case .failed(.noBus) where needsNoBus: return .skipped("there is no systemd here")
    case .stillDown(let failure):
      return .stillDown("the unit had failed before, and \(failure)")
    case .failed(let failure): return .failed("the unit \(failure)")
    }
  }
}

extension CommandResult {
  /// What became of the command as an action or a check.
  var actionResult: ActionResult {
    isSuccess ? .done : .failed(reason, output: String(decoding: output, as: UTF8.self))
  }
}
