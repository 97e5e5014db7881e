import Glibc
import SettledSystemd
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct UnitsTests {
  /// A unit that is up.
  private func unit(
    _ name: String, _ changes: [String: FakeProperty] = [:]
  ) -> [String: FakeProperty] {
    let up: [String: FakeProperty] = [
      "Id": .text(name), "LoadState": .text("loaded"), "ActiveState": .text("active"),
      "SubState": .text("running"), "InvocationID": .bytes([1, 2]), "NRestarts": .number(0),
      "Result": .text("success"), "ReloadResult": .text("success"), "Job": .job(0),
      "After": .texts(["basic.target"]), "NeedDaemonReload": .flag(false),
    ]
    return up.merging(changes) { $1 }
  }

  private func script(_ changes: [String: FakeProperty] = [:]) -> ScriptedSystemd.Script {
    var script = ScriptedSystemd.Script()
    script.units = ["web.service": unit("web.service", changes)]
    return script
  }

  /// The calls that matter after those of the connection.
  private func asked(_ systemd: ScriptedSystemd) -> [String] {
    let connection = ["Subscribe", "GetUnitByPID 0"]
    return systemd.calls.filter { !connection.contains($0) }
  }

  @Test(arguments: [
    (UnitVerb.reload, "ReloadOrTryRestartUnit web.service replace"),
    (.restart, "TryRestartUnit web.service replace"),
  ])
  func `a job that is done for an active unit is a success`(verb: UnitVerb, call: String) throws {
    let systemd = try ScriptedSystemd(script())
    let outcome = Units(address: systemd.address).run(verb, "web.service")
    guard case .done(let state, avoidedDeadlock: false) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(state.name == "web.service")
    #expect(state.active == "active")
    #expect(state.invocation == [1, 2])
    #expect(asked(systemd) == ["LoadUnit web.service", call])
  }

  @Test func `a unit that was stopped is skipped`() throws {
    let systemd = try ScriptedSystemd(script(["ActiveState": .text("inactive")]))
    let outcome = Units(address: systemd.address).run(.reload, "web.service")
    guard case .skipped(let state) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(state.active == "inactive")
    #expect(asked(systemd) == ["LoadUnit web.service"])
  }

  @Test(arguments: [
    (UnitVerb.reload, "ReloadOrRestartUnit web.service replace"),
    (.restart, "RestartUnit web.service replace"),
  ])
  func `a unit that has failed is started, whatever limit it had hit`(verb: UnitVerb, call: String)
    throws
  {
    var script = script(["ActiveState": .text("failed")])
    script.afterJob = ["ActiveState": .text("active")]
    let systemd = try ScriptedSystemd(script)
    let outcome = Units(address: systemd.address).run(verb, "web.service")
    guard case .done(let state, avoidedDeadlock: false) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(state.active == "active")
    #expect(
      asked(systemd) == ["LoadUnit web.service", "ResetFailedUnit web.service", call])
  }

  @Test func `a unit that had failed and fails again is still down, without a right as well`()
    throws
  {
    var script = script(["ActiveState": .text("failed"), "Result": .text("exit-code")])
    script.results = ["failed"]
    let systemd = try ScriptedSystemd(script)
    let outcome = Units(address: systemd.address).run(.restart, "web.service")
    guard case .stillDown(let failure) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(failure.description == "job failed, the unit is failed (exit-code)")
    let denied = "org.freedesktop.DBus.Error.AccessDenied"
    systemd.change { $0.errors = ["ResetFailedUnit": denied, "RestartUnit": denied] }
    #expect(
      Units(address: systemd.address).run(.restart, "web.service")
        == .stillDown(.denied("as scripted")))
  }

  @Test(arguments: ["inactive", "failed"])
  func `a unit that was brought down is started`(active: String) throws {
    let systemd = try ScriptedSystemd(script(["ActiveState": .text(active)]))
    systemd.change { $0.afterJob = ["ActiveState": .text("active")] }
    let units = Units(address: systemd.address)
    guard case .done = units.run(.restart, "web.service", starts: true) else {
      Issue.record("it is down")
      return
    }
    #expect(asked(systemd).last == "RestartUnit web.service replace")
    systemd.change {
      $0.afterJob = ["ActiveState": .text(active)]
      $0.units["web.service"]?["ActiveState"] = .text(active)
    }
    guard case .failed(.notActive) = units.run(.restart, "web.service", starts: true) else {
      Issue.record("it is up")
      return
    }
  }

  @Test func `a reload that fails names its result`() throws {
    var script = script(["ReloadResult": .text("exit-code")])
    script.results = ["failed"]
    let systemd = try ScriptedSystemd(script)
    let outcome = Units(address: systemd.address).run(.reload, "web.service")
    guard case .failed(let failure) = outcome, case .job(let result, _) = failure else {
      Issue.record("\(outcome)")
      return
    }
    #expect(result == "failed")
    #expect(failure.description == "job failed, the unit is active (reload: exit-code)")
  }

  @Test func `a job that is done but leaves the unit down is a failure`() throws {
    var script = script()
    script.afterJob = ["ActiveState": .text("failed"), "Result": .text("exit-code")]
    let systemd = try ScriptedSystemd(script)
    let outcome = Units(address: systemd.address).run(.restart, "web.service")
    guard case .failed(let failure) = outcome, case .notActive = failure else {
      Issue.record("\(outcome)")
      return
    }
    #expect(failure.description == "is failed (exit-code) after its job")
  }

  @Test(arguments: [
    ("not-found", UnitFailure.unknown), ("masked", .notLoaded("masked")),
    ("bad-setting", .notLoaded("bad-setting")),
  ])
  func `a unit that cannot be used is a failure`(load: String, failure: UnitFailure) throws {
    let systemd = try ScriptedSystemd(script(["LoadState": .text(load)]))
    let outcome = Units(address: systemd.address).run(.reload, "web.service")
    #expect(outcome == .failed(failure))
  }

  @Test(arguments: [
    ("org.freedesktop.systemd1.NoSuchUnit", UnitFailure.unknown),
    ("org.freedesktop.DBus.Error.AccessDenied", .denied("as scripted")),
    ("org.freedesktop.DBus.Error.InteractiveAuthorizationRequired", .denied("as scripted")),
    (
      "org.freedesktop.systemd1.TransactionIsDestructive",
      .refused(name: "org.freedesktop.systemd1.TransactionIsDestructive", message: "as scripted")
    ),
  ])
  func `an error of systemd is a failure`(error: String, failure: UnitFailure) throws {
    var script = script()
    script.errors = ["ReloadOrTryRestartUnit": error]
    let systemd = try ScriptedSystemd(script)
    #expect(Units(address: systemd.address).run(.reload, "web.service") == .failed(failure))
  }

  @Test func `the unit of this process is refused`() throws {
    var script = script()
    script.own = "web.service"
    let systemd = try ScriptedSystemd(script)
    #expect(Units(address: systemd.address).run(.reload, "web.service") == .failed(.ownUnit))
  }

  @Test func `unit files that changed are read first`() throws {
    let systemd = try ScriptedSystemd(script(["NeedDaemonReload": .flag(true)]))
    _ = Units(address: systemd.address).run(.restart, "web.service")
    #expect(
      asked(systemd) == [
        "LoadUnit web.service", "Reload", "TryRestartUnit web.service replace",
      ])
  }

  @Test func `a unit ordered after ours is not waited for with its dependencies`() throws {
    var script = script(["After": .texts(["settled.service"])])
    script.own = "settled.service"
    script.units["settled.service"] = unit("settled.service", ["Job": .job(7)])
    let systemd = try ScriptedSystemd(script)
    let outcome = Units(address: systemd.address).run(.restart, "web.service")
    guard case .done(_, avoidedDeadlock: true) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(asked(systemd).last == "TryRestartUnit web.service ignore-dependencies")
  }

  @Test func `a job that waits for ours through others is queued anew`() throws {
    var script = script()
    script.own = "settled.service"
    script.units["settled.service"] = unit("settled.service", ["Job": .job(7)])
    script.jobsBefore = [100: [20], 20: [30, 31], 31: [7]]
    let systemd = try ScriptedSystemd(script)
    let outcome = Units(address: systemd.address).run(.reload, "web.service")
    guard case .done(_, avoidedDeadlock: true) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(
      asked(systemd).suffix(2) == [
        "CancelJob 100", "ReloadOrRestartUnit web.service ignore-dependencies",
      ])
  }

  @Test func `a job without an end fails at the deadline`() throws {
    var script = script()
    script.results = ["never"]
    let systemd = try ScriptedSystemd(script)
    let units = Units(address: systemd.address)
    #expect(
      units.run(.reload, "web.service", within: .milliseconds(200)) == .failed(.outOfTime))
    guard case .done = units.run(.reload, "web.service") else {
      Issue.record("the next job does not work")
      return
    }
  }

  @Test func `a bus that does not answer fails at the deadline`() throws {
    var script = script()
    script.silent = ["LoadUnit"]
    let systemd = try ScriptedSystemd(script)
    let units = Units(address: systemd.address)
    #expect(units.run(.reload, "web.service", within: .milliseconds(200)) == .failed(.outOfTime))
  }

  @Test func `one who waits can give up`() throws {
    var script = script()
    script.results = ["never"]
    let systemd = try ScriptedSystemd(script)
    let rounds = Mutex(0)
    let units = Units(address: systemd.address) {
      rounds.withLock {
        $0 += 1
        return !systemd.calls.contains("ReloadOrTryRestartUnit web.service replace")
      }
    }
    #expect(units.run(.reload, "web.service") == .failed(.abandoned))
    #expect(rounds.withLock { $0 } > 0)
  }

  @Test func `without a bus it fails at once`() {
    let units = Units(address: "unix:path=/nonexistent/bus")
    #expect(units.run(.reload, "web.service") == .failed(.noBus(errno: ENOENT)))
  }

  @Test(arguments: [Set<UInt32>(), [100]])
  func `a job goes on over a new connection`(liveJobs: Set<UInt32>) throws {
    var script = script()
    script.results = ["disconnect"]
    script.liveJobs = liveJobs
    let systemd = try ScriptedSystemd(script)
    let outcome = Units(address: systemd.address).run(
      .restart, "web.service", within: .milliseconds(1500))
    let restarts = systemd.calls.filter { $0.hasPrefix("TryRestart") }
    #expect(restarts.count == 1)
    if liveJobs.isEmpty {
      guard case .done = outcome else {
        Issue.record("\(outcome)")
        return
      }
    } else {
      #expect(outcome == .failed(.outOfTime))
    }
  }

  @Test func `a signal goes to the main process`() throws {
    let systemd = try ScriptedSystemd(script())
    let outcome = Units(address: systemd.address).signal("web.service", SIGHUP)
    guard case .done = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(asked(systemd) == ["LoadUnit web.service", "KillUnit web.service main 1"])
  }

  @Test(arguments: [
    ([String: FakeProperty](), true), (["ActiveState": .text("reloading")], true),
    (["ActiveState": .text("failed"), "Result": .text("signal")], false),
    (["NRestarts": .number(1)], false), (["InvocationID": .bytes([3])], false),
  ])
  func `a unit is looked at again later`(change: [String: FakeProperty], holds: Bool) throws {
    let systemd = try ScriptedSystemd(script())
    let units = Units(address: systemd.address)
    let state = try units.state(of: "web.service")
    systemd.change { $0.units["web.service"]?.merge(change) { $1 } }
    let failures = units.confirm([state], after: .milliseconds(50))
    #expect(failures.count == 1)
    #expect((failures[0] == nil) == holds)
  }
}
