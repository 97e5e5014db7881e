import Glibc
import SettledInputs
import Targets
import TestSupport
import Testing

/// Notes the actions it is asked for, and fails those it is told to fail.
final class RecordingRunner: ActionRunner {
  var failing: Set<Action> = []
  var down: Set<Action> = []
  var unstable: Set<Action> = []
  private(set) var done: [Action] = []
  private var confirming: [ActionStep] = []

  func run(_ step: ActionStep) -> ActionResult {
    done.append(step.action)
    if down.contains(step.action) { return .stillDown("was down before") }
    if failing.contains(step.action) { return .failed("told to fail", output: "its output") }
    confirming.append(step)
    return .done
  }

  func confirm() -> (step: ActionStep, reason: String)? {
    defer { confirming = [] }
    return confirming.first { unstable.contains($0.action) }.map { ($0, "fell over") }
  }
}

@Suite struct ApplierTests {
  let scratch: Scratch
  let runner = RecordingRunner()

  init() throws {
    scratch = try Scratch()
    try scratch.write("old", to: "a.conf")
  }

  private func plan(
    check: [String] = [], verify: [String] = [], actions: [ActionStep] = []
  ) throws -> Plan {
    let files = try ["a.conf", "b.conf"].compactMap { name in
      try FileStep(
        for: DesiredFile(target: name, path: scratch.file(name), bytes: Array("new".utf8)))
    }
    return Plan(
      files: files,
      checks: check.isEmpty ? [] : [Plan.Test(target: "a.conf", Command(check))],
      verifications: verify.isEmpty ? [] : [Plan.Test(target: "a.conf", Command(verify))],
      actions: actions)
  }

  private func step(_ action: Action, isRequired: Bool = true) -> ActionStep {
    ActionStep(action, target: "a.conf", isRequired: isRequired, timeout: .seconds(1))
  }

  @discardableResult
  private func apply(_ plan: Plan, isCurrent: Bool = true) throws -> Applier.Outcome {
    try Applier(stateDirectory: scratch.state, runner: runner).apply(
      plan, isCurrent: { isCurrent }, filesInPlace: {})
  }

  private func expectUntouched() throws {
    #expect(scratch.names == ["a.conf"])
    #expect(try scratch.text("a.conf") == "old")
    #expect(scratch.stateNames == [])
  }

  @Test func `files are in place before the first action`() throws {
    let reload = step(.reload(unit: "a.service"))
    var seen = ""
    _ = try Applier(stateDirectory: scratch.state, runner: runner).apply(
      plan(actions: [reload]), isCurrent: { true },
      filesInPlace: {
        seen = (try? scratch.text("a.conf")) ?? ""
        #expect(runner.done == [])
      })
    #expect(seen == "new")
    #expect(runner.done == [reload.action])
    #expect(scratch.names == ["a.conf", "b.conf"])
  }

  @Test func `a failing check leaves everything as it was`() throws {
    let error = #expect(throws: Applier.Failure.self) {
      try apply(
        plan(check: ["sh", "-c", "echo wrong; exit 1"], actions: [step(.reload(unit: "a"))]))
    }
    guard case .test(_, let reason, let output)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect((reason, output) == ("exit status 1", "wrong\n"))
    #expect(runner.done == [])
    try expectUntouched()
  }

  @Test(arguments: ["echo more >>$0", "rm $0", "cp $0 $0.new; mv $0.new $0"])
  func `a check that changes the new file is refused, and nothing of it is in place`(
    _ script: String
  ) throws {
    var plan = try plan()
    let command = Command(["sh", "-c", script, plan.files[0].staged])
    plan.checks = [Plan.Test(target: "a.conf", command)]
    let error = #expect(throws: Applier.Failure.self) { try apply(plan) }
    guard case .test(_, let reason, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("changed the new file"))
    try expectUntouched()
  }

  @Test func `a check may give the new file another name for a while`() throws {
    var plan = try plan()
    let script = "ln $0 $0.conf && cat $0.conf && rm $0.conf"
    let command = Command(["sh", "-c", script, plan.files[0].staged])
    plan.checks = [Plan.Test(target: "a.conf", command)]
    try apply(plan)
    #expect(try scratch.text("a.conf") == "new")
  }

  @Test func `a check sees the old file in place, a verification the new one`() throws {
    let file = scratch.file("a.conf")
    try apply(plan(check: ["grep", "-q", "old", file], verify: ["grep", "-q", "new", file]))
    #expect(try scratch.text("a.conf") == "new")
  }

  @Test func `a failing verification puts everything back, and nothing is done`() throws {
    #expect(throws: Applier.Failure.self) {
      try apply(plan(verify: ["false"], actions: [step(.reload(unit: "a"))]))
    }
    #expect(runner.done == [])
    try expectUntouched()
  }

  @Test func `a failing action puts everything back, and what was done is done for the old files`()
    throws
  {
    let (first, second) = (step(.reload(unit: "a")), step(.restart(unit: "b")))
    let third = step(.reload(unit: "c"))
    runner.failing = [second.action]
    let failure = Applier.Failure.action(second, reason: "told to fail", output: "its output")
    #expect(
      throws: Applier.Failure.notActedBack([second], reason: "told to fail", after: failure)
    ) {
      try apply(plan(actions: [first, second, third]))
    }
    #expect(runner.done == [first, second, first, second].map(\.action))
    try expectUntouched()
  }

  @Test func `a unit that falls over after its job counts as failed`() throws {
    let reload = step(.reload(unit: "a"))
    runner.unstable = [reload.action]
    #expect(throws: Applier.Failure.action(reload, reason: "fell over", output: "")) {
      try apply(plan(actions: [reload]))
    }
    try expectUntouched()
  }

  @Test func `a failing action that is not required is told, and all else stays`() throws {
    let (first, second) = (step(.reload(unit: "a"), isRequired: false), step(.reload(unit: "b")))
    runner.failing = [first.action]
    let outcome = try apply(plan(actions: [first, second]))
    #expect(outcome.failed == [first: "told to fail"])
    #expect(runner.done == [first.action, second.action])
    #expect(try scratch.text("a.conf") == "new")
  }

  @Test func `a unit that was down before and stays so is told, and all else stays`() throws {
    let (first, second) = (step(.restart(unit: "a")), step(.reload(unit: "b")))
    runner.down = [first.action]
    let outcome = try apply(plan(actions: [first, second]))
    #expect(outcome.failed == [first: "was down before"])
    #expect(runner.done == [first.action, second.action])
    #expect(try scratch.text("a.conf") == "new")
  }

  @Test func `inputs that moved while files were staged stop the apply`() throws {
    #expect(throws: Applier.Failure.outOfDate) { try apply(plan(), isCurrent: false) }
    try expectUntouched()
  }

  private func apply(_ plan: Plan, record: String, saying text: String) throws {
    let record = DesiredFile(target: "settled", path: record, bytes: Array(text.utf8), mode: 0o600)
    _ = try Applier(stateDirectory: scratch.state, runner: runner).apply(
      plan, isCurrent: { true }, filesInPlace: {}, records: [record])
  }

  @Test func `a record goes into place and back with the files it tells of`() throws {
    let record = scratch.state + "/record"
    let reload = step(.reload(unit: "a"))
    runner.failing = [reload.action]
    #expect(throws: Applier.Failure.self) {
      try apply(plan(actions: [reload]), record: record, saying: "new")
    }
    try expectUntouched()
    try apply(plan(), record: record, saying: "new")
    #expect(scratch.stateNames == ["record"])
    #expect(try AtomicFile.read(record, limit: 10) == Array("new".utf8))
    #expect(try scratch.text("a.conf") == "new")
  }

  @Test func `a record that cannot be written stops the apply`() throws {
    let record = scratch.path + "/missing/record"
    #expect(throws: Applier.Failure.self) { try apply(plan(), record: record, saying: "new") }
    try expectUntouched()
  }

  @Test func `what an earlier apply left is put back first, and the plan made again`() throws {
    let plan = try plan()
    let earlier = FileTransaction(plan.files, stateDirectory: scratch.state)
    try earlier.stage()
    try earlier.swap()
    #expect(throws: Applier.Failure.outOfDate) { try apply(plan) }
    try expectUntouched()
    try apply(self.plan())
    #expect(try scratch.text("a.conf") == "new")
  }

  @Test func `actions that fail for what was put back are kept before the journal is gone`() throws
  {
    let reload = step(.reload(unit: "a"))
    runner.failing = [reload.action]
    let plan = try plan(actions: [reload])
    let applier = Applier(stateDirectory: scratch.state, runner: runner)
    var kept: [String] = []
    let full = SystemError("write", scratch.state, code: ENOSPC)
    // Whoever keeps them cannot at first.
    #expect(throws: Applier.Failure.self) {
      try applier.apply(
        plan, isCurrent: { true }, filesInPlace: {},
        keepPending: { _ throws(SystemError) in throw full })
    }
    #expect(scratch.names == ["a.conf"])
    #expect(scratch.stateNames == ["journal.json"])
    #expect(throws: Applier.Failure.outOfDate) {
      try applier.apply(
        plan, isCurrent: { true }, filesInPlace: {},
        keepPending: { names throws(SystemError) in
          kept = names
          #expect(scratch.stateNames == ["journal.json"])
        })
    }
    #expect(kept == ["a.conf"])
    try expectUntouched()
  }

  @Test func `an action is done once, and a restart swallows the reload of its unit`() {
    let steps = [
      ActionStep(.reload(unit: "a"), target: "one", isRequired: false, timeout: .seconds(1)),
      ActionStep(.reload(unit: "b"), target: "one", isRequired: false, timeout: .seconds(1)),
      ActionStep(.reload(unit: "b"), target: "two", isRequired: true, timeout: .seconds(9)),
      ActionStep(.restart(unit: "a"), target: "three", isRequired: true, timeout: .seconds(1)),
    ]
    let folded = steps.folded()
    #expect(folded.map(\.action) == [.reload(unit: "b"), .restart(unit: "a")])
    #expect(folded.map(\.targets) == [["one", "two"], ["three", "one"]])
    #expect(folded.map(\.isRequired) == [true, true])
    #expect(folded[0].timeout == .seconds(9))
  }

  @Test func `what somebody else wrote is kept, readable by nobody else`() throws {
    var plan = try plan()
    plan.files[0].keepsStanding = true
    try apply(plan)
    let names = TestSupport.names(in: scratch.state + "/edited")
    #expect(names.count == 1)
    let kept = scratch.state + "/edited/" + (names.first ?? "")
    #expect(kept.hasSuffix("-a.conf"))
    #expect(try AtomicFile.read(kept, limit: 10) == Array("old".utf8))
    var status = stat()
    #expect(stat(kept, &status) == 0 && status.st_mode & 0o7777 == 0o600)
    #expect(stat(scratch.state + "/edited", &status) == 0 && status.st_mode & 0o7777 == 0o700)
  }

  @Test func `a state directory that goes during the apply is not made again for copies`() throws {
    var plan = try plan(verify: ["rm", "-r", scratch.state])
    plan.files[0].keepsStanding = true
    let gone = SystemError("find the state directory", scratch.state, code: ENOENT)
    #expect(throws: Applier.Failure.system(gone)) { try apply(plan) }
    #expect(access(scratch.state, F_OK) != 0)
    try expectUntouched()
  }

  @Test func `a hundred copies of what others wrote are kept`() throws {
    for _ in 0..<102 {
      try scratch.write("by hand", to: "a.conf")
      var plan = try plan()
      plan.files[0].keepsStanding = true
      try apply(plan)
    }
    #expect(TestSupport.names(in: scratch.state + "/edited").count == 100)
  }
}
