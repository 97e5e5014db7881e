/// A unit as systemd sees it at one moment; see org.freedesktop.systemd1(5).
public struct UnitState: Sendable, Hashable {
  /// Its own name, also where it was asked for by an alias.
  public let name: String
  /// `loaded`, `not-found`, `masked`, `bad-setting` or `error`.
  public let load: String
  /// `active`, `reloading`, `inactive`, `failed`, `activating`, `deactivating` and the like.
  public let active: String
  /// The finer state of its kind, such as `running`.
  public let sub: String
  /// Why a service stands as it does, such as `success` or `exit-code`.
  public let result: String?
  /// How a service's last reload ended.
  public let reloadResult: String?
  /// The line that a service says about itself.
  public let statusText: String?
  /// The run of the unit: another one after each start.
  public let invocation: [UInt8]
  /// How often a service was restarted by `Restart=`.
  public let restarts: UInt32
  /// When all this was so.
  public let seen: ContinuousClock.Instant

  /// The units that it is ordered after.
  let after: [String]
  /// Whether its files are newer than what systemd has read.
  let needsDaemonReload: Bool

  /// Takes the properties of the unit and, if it is one, of the service.
  init(unit: Properties, service: Properties) {
    name = unit.text("Id") ?? ""
    load = unit.text("LoadState") ?? ""
    active = unit.text("ActiveState") ?? ""
    sub = unit.text("SubState") ?? ""
    result = service.text("Result")
    reloadResult = service.text("ReloadResult")
    statusText = service.text("StatusText")
    invocation = unit.bytes("InvocationID") ?? []
    restarts = service.number("NRestarts") ?? 0
    seen = .now
    after = unit.texts("After") ?? []
    needsDaemonReload = unit.flag("NeedDaemonReload") ?? false
  }

  /// Whether it is up: active, or active and reloading.
  public var isUp: Bool {
    ["active", "reloading", "refreshing"].contains(active)
  }

  /// Whether it went down by a failure: nobody stopped it.
  var hasFailed: Bool { active == "failed" }

  /// Whether it is on its way up or down.
  var isMoving: Bool {
    ["activating", "deactivating"].contains(active)
  }

  /// What a person wants to know: `failed (exit-code)`.
  public var summary: String {
    guard let result, result != "success" else { return "\(active) (\(sub))" }
    return "\(active) (\(result))"
  }
}
