internal import Glibc

/// What to ask of a unit that is up, or has failed; one that was stopped stays as it is.
public enum UnitVerb: String, Sendable, Hashable {
  /// Reload, or restart where the unit cannot reload.
  case reload = "ReloadOrTryRestartUnit"
  /// Restart.
  case restart = "TryRestartUnit"

  /// The method that does the same, and starts a unit that is down.
  var startingMethod: String {
    switch self {
    case .reload: "ReloadOrRestartUnit"
    case .restart: "RestartUnit"
    }
  }
}

/// How a request to a unit ended.
public enum UnitOutcome: Sendable, Hashable {
  /// The job is done and the unit is active.
  ///
  /// A service of `Type=simple` that dies right after its start looks like this too: ask
  /// ``Units/confirm(_:after:)``. `avoidedDeadlock`: the job was queued without the unit's
  /// dependencies, as with them it would have waited for ours.
  case done(UnitState, avoidedDeadlock: Bool)
  /// The unit is not up, so there was nothing to do.
  case skipped(UnitState)
  /// The unit had failed before, and does not start.
  case stillDown(UnitFailure)
  /// It did not work.
  case failed(UnitFailure)
}

/// Why a request to a unit failed.
public enum UnitFailure: Error, Sendable, Hashable {
  /// There is no unit of this name.
  case unknown
  /// The unit cannot be used: its load state says why, such as `masked`.
  case notLoaded(String)
  /// It is the unit of this very process, whose job would wait for itself.
  case ownUnit
  /// The job ended otherwise than done.
  case job(result: String, UnitState)
  /// The job was done, but the unit is not active.
  case notActive(UnitState)
  /// The unit was active after its job, but went down or was started anew.
  case notStable(UnitState)
  /// It took longer than allowed.
  case outOfTime
  /// The one who waited gave up.
  case abandoned
  /// The right is missing: systemd's own words.
  case denied(String)
  /// There is no bus to ask, or no systemd on it.
  case noBus(errno: Int32)
  /// systemd answered with another error.
  case refused(name: String, message: String)

  init(_ fault: BusFault) {
    switch fault {
    case .lost(let errno): self = .noBus(errno: errno)
    case .outOfTime: self = .outOfTime
    case .abandoned: self = .abandoned
    case .refused(let name, let message): self.init(errorName: name, message: message)
    }
  }

  private init(errorName: String, message: String) {
    switch errorName {
    case "org.freedesktop.systemd1.NoSuchUnit": self = .unknown
    case "org.freedesktop.systemd1.UnitMasked": self = .notLoaded("masked")
    case "org.freedesktop.DBus.Error.AccessDenied",
      "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired":
      self = .denied(message)
    case "org.freedesktop.DBus.Error.ServiceUnknown",
      "org.freedesktop.DBus.Error.NameHasNoOwner", "org.freedesktop.DBus.Error.NoReply",
      "org.freedesktop.DBus.Error.Spawn.ChildExited":
      // The bus is there, but not (or not yet again) systemd.
      self = .noBus(errno: ENOTCONN)
    default: self = .refused(name: errorName, message: message)
    }
  }
}

extension UnitFailure: CustomStringConvertible {
  /// The end of a sentence that begins with the unit's name.
  public var description: String {
    switch self {
    case .unknown: "is not known to systemd"
    case .notLoaded(let state): "cannot be used: \(state)"
    case .ownUnit: "is the unit of this process"
    case .job(let result, let state): "job \(result), the unit is \(Self.detail(state))"
    case .notActive(let state): "is \(state.summary) after its job"
    case .notStable(let state): "did not stay up: \(state.summary)"
    case .outOfTime: "took too long"
    case .abandoned: "was not waited for"
    case .denied(let message):
      "permission denied: \(message) (without root, a polkit rule has to allow it)"
    case .noBus(let errno): "cannot be asked, systemd's bus: \(String(cString: strerror(errno)))"
    case .refused(let name, let message): "was refused: \(message.isEmpty ? name : message)"
    }
  }

  /// The state, with the result of a reload that failed: the unit stays active then.
  private static func detail(_ state: UnitState) -> String {
    guard let reload = state.reloadResult, reload != "success" else { return state.summary }
    return "\(state.active) (reload: \(reload))"
  }
}
