import Expressions
import SettledInputs
import SettledObserving
import SettledValues
import SettledYAML
import Targets
import Templates

/// Compares what targets want with what stands on the disk and what was last applied.
@ObservingActor
struct Planner {
  /// What a plan is to bring about, other than what changed.
  struct Demand {
    /// What is put into place again though nothing of it changed.
    var scope: Scope?
    /// Whether the files of targets that did not change are looked at.
    var looksAtFiles = true
    /// Whether what failed before is tried again.
    var triesPending = true
    /// Whether commands are told whose program is not there, though the manifest is no new one.
    var tellsPrograms = false
    /// When that is, for what has to wait.
    var now: Moment
  }

  let program: Program
  let inputs: InputSet
  let applied: Applied
  /// What is known of the files of targets that are as they were.
  var looks: Looks
  let former: Former?
  /// What all instances want.
  private(set) var wanted: [Wanted] = []
  /// The instances that lie in the way of something, by position: they are not looked at.
  var clashing: Set<Int> = []
  private var reasons: Reasons
  var faults: [Diagnostic] = []
  var warnings: [Diagnostic] = []
  var plan = Plan()
  /// The instances that stay as they were, since something is in the way of their files.
  private(set) var omissions: [Omission] = []
  /// The numbers of owners that were looked up.
  private var owners: [Owner: Owner.Numbers] = [:]
  /// The directories of files that were looked at.
  private var checked = CheckedDirectories()
  /// The actions of this plan, and of those before that failed, for instances wanted no more.
  var due: [String: [DueAction]] = [:]

  init(
    _ program: Program, after former: Former?, inputs: InputSet, applied: Applied, looks: Looks,
    templates: [TemplateRule: LoadedTemplate]
  ) {
    self.program = program
    self.former = former
    self.inputs = inputs
    self.applied = applied
    self.looks = looks
    reasons = Reasons(program, after: former, templates: templates)
  }

  /// The plan that brings everything to what is wanted.
  ///
  /// - Throws: the faults of all targets: two with one destination, one that is an input, one that
  ///   cannot be examined.
  mutating func plan(for wanted: [Wanted], _ demand: Demand) throws(Refusal) -> Plan {
    self.wanted = wanted
    findClashes()
    for (position, instance) in wanted.enumerated() where !clashing.contains(position) {
      let isSame = former?.holds(instance, near: position) == true
      let isAsked = demand.scope?.holds(instance.name) == true
      let isPending =
        isAsked || demand.triesPending
        ? applied.pending.contains(instance.name) : false
      let isLooked =
        demand.looksAtFiles || former?.isSameProgram != true || former?.omits(instance) == true
      if isSame, !isAsked, !isPending, !isLooked { continue }
      add(instance, isSame: isSame, isAsked: isAsked, isPending: isPending, at: demand.now)
      findClashes(ofLinkOf: position)
    }
    if demand.tellsPrograms || former?.isSameProgram != true { tellMissingPrograms() }
    addRemovals(wanted, demand)
    plan.actions = plan.actions.folded()
    plan.runCommands(in: program.destinations.base)
    guard faults.isEmpty else { throw Refusal(faults) }
    return plan
  }

  /// The plan of who wants none.
  ///
  /// - Throws: the faults that need no look at the disk.
  mutating func emptyPlan(for wanted: [Wanted]) throws(Refusal) -> Plan {
    self.wanted = wanted
    findClashes()
    guard faults.isEmpty else { throw Refusal(faults) }
    return plan
  }

  func rule(_ instance: Wanted) -> TargetRule { program.manifest.targets[instance.rule] }

  /// Adds what is to be done for an instance.
  private mutating func add(
    _ instance: Wanted, isSame: Bool, isAsked: Bool, isPending: Bool, at now: Moment
  ) {
    var causes: [Reason] = isAsked ? [.asked] : []
    if isPending { causes.append(.failedBefore) }
    if let file = instance.file {
      let isHeld = isSame || applied.holds(instance)
      do {
        if let step = try step(for: file, instance, isHeld: isHeld) {
          causes += try add(step, instance, isHeld: isHeld, causes, at: now)
        }
      } catch {
        // What was applied has drifted; all else can still be put right, or be in force.
        guard !isAsked, rule(instance).isRequired, isHeld, applied.holds(instance) else {
          return tell(error, instance)
        }
        return looks.note(.hindered(error.reason), of: instance.name)
      }
    } else if isFollowedChanged(instance) {
      causes += reasons.reasons(for: instance, otherwise: .followed)
    }
    if !causes.isEmpty { addActions(instance, at: instance.file?.path, because: causes) }
  }

  private mutating func step(
    for file: DesiredFile, _ instance: Wanted, isHeld: Bool
  ) throws(Obstacle) -> FileStep? {
    var known = owners
    defer { owners = known }
    return try looks.step(for: file, of: instance.name, isHeld: isHeld, checked: &checked) {
      () throws(Owner.Fault) in
      guard let owner = file.owner else { return Owner.Numbers() }
      if let numbers = known[owner] { return numbers }
      let numbers = try owner.numbers()
      known[owner] = numbers
      return numbers
    }
  }

  /// Tells why a file cannot be where it is wanted; what is not required stays as it was.
  private mutating func tell(_ obstacle: Obstacle, _ instance: Wanted) {
    let rule = rule(instance)
    let node = obstacle.isOfOwner ? rule.file?.owner?.node : rule.file?.node
    let fault = (node ?? rule.node).fault(
      "target '\(instance.name)': \(obstacle.reason)", hint: obstacle.hint)
    guard !rule.isRequired else { return faults.append(fault) }
    warnings.append(fault)
    omissions.append(Omission(instance.name, file: obstacle))
  }

  /// Adds the step of a file, or notes its drift where that is only told for now; the answer is why.
  private mutating func add(
    _ step: FileStep, _ instance: Wanted, isHeld: Bool, _ causes: [Reason], at now: Moment
  ) throws(Obstacle) -> [Reason] {
    var step = step
    var found: [Reason] = []
    if isHeld {
      // What stood in /run is gone after a boot, and nobody removed it.
      let isLost = former == nil && step.change == .create
      let isAsked = isLost || causes.contains(.asked)
      guard isAsked || isRepaired(instance, at: now) else {
        looks.drifts[instance.name] = step.drift
        return []
      }
      if isAsked { looks.repairs.forget(instance.name) }
      found = [isLost ? .missing : .drifted(step.drift)]
    } else {
      let fallback: Reason = step.change == .create ? .missing : .differs
      found = reasons.reasons(for: instance, otherwise: fallback)
    }
    step.reasons = causes + found
    if step.change == .replace {
      step.keepsStanding = try Obstacle.of { () throws(SystemError) in
        try !applied.wrote(instance.name, what: step)
      }
    }
    add(step, instance)
    return found
  }

  /// Tells whether a file that drifted is put back now, though nobody asked for it.
  private mutating func isRepaired(_ instance: Wanted, at now: Moment) -> Bool {
    guard rule(instance).drift == .repair else {
      looks.repairs.forget(instance.name)
      return false
    }
    return looks.repairs.begins(instance.name, at: now)
  }

  /// Adds the step of a file and its tests.
  private mutating func add(_ step: FileStep, _ instance: Wanted) {
    plan.files.append(step)
    guard let wish = rule(instance).file else { return }
    tellOpenFile(step, wish)
    let path = step.desired.path
    if let check = wish.check, let command = command(check, instance, path, staged: step.staged) {
      plan.checks.append(Plan.Test(target: instance.name, command))
    }
    if let verify = wish.verify, let command = command(verify, instance, path) {
      plan.verifications.append(Plan.Test(target: instance.name, command))
    }
  }

  private func isFollowedChanged(_ instance: Wanted) -> Bool {
    guard let followed = instance.followed else { return false }
    return !followed.hasDigest(applied.followed[instance.name])
  }

  /// Adds the actions of an instance that has its file at `path`, or had it there.
  mutating func addActions(_ instance: Wanted, at path: String?, because reasons: [Reason]) {
    let rule = rule(instance)
    for action in rule.actions {
      guard let action = action.action({ command($0, instance, path) }) else { continue }
      plan.actions.append(
        ActionStep(
          action, target: instance.name, isRequired: rule.isRequired, timeout: rule.timeout,
          reasons: reasons))
    }
  }

  /// The actions of the instances for which others were done, as they are for `wanted`.
  mutating func actionsBack(after done: [ActionStep], _ wanted: [Wanted]) -> [ActionStep] {
    let names = Set(done.lazy.flatMap(\.targets))
    let standing = wanted.filter { names.contains($0.name) }
    for instance in standing {
      addActions(instance, at: instance.file?.path, because: [.failedBefore])
    }
    let known = Set(standing.lazy.map(\.name))
    // A command for a new value is not one for the old; a unit reads what is there.
    let others = done.filter { step in
      if case .run = step.action { !known.isSuperset(of: step.targets) } else { true }
    }
    plan.actions = (others + plan.actions).folded()
    plan.runCommands(in: program.destinations.base)
    return plan.actions
  }

  /// The command as it is now, told in its arguments and its environment what it is for.
  private mutating func command(
    _ command: CommandRule, _ instance: Wanted, _ path: String?, staged: String? = nil
  ) -> Command? {
    let rule = rule(instance)
    let texts = [CommandRule.staged: staged, CommandRule.file: path].compactMapValues { $0 }
    let lookup = InstanceLookup(program, rule, key: instance.key, texts: texts)
    do {
      var environment = Command.environment(target: instance.name, file: path)
      environment["SETTLED_STAGED"] = staged
      var arguments: [String] = []
      for argument in command.arguments {
        arguments.append(try argument.render(lookup))
        guard lookup.takeSecretRead() else { continue }
        tellSecretArgument(command, rule, isProgram: arguments.count == 1)
      }
      guard !(arguments + environment.values).contains(where: { $0.utf8.contains(0) }) else {
        faults.append(
          command.node.fault(
            "target '\(rule.name)': what the command is told holds a NUL character",
            hint: "a program takes an argument to end there (execve(2))"))
        return nil
      }
      var told = Command(arguments, environment: environment, timeout: rule.timeout)
      told.isSecret = lookup.hasReadSecret || instance.isSecret
      return told
    } catch {
      let isSecret = lookup.takeSecretRead()
      faults += error.diagnostics(
        in: command.node, of: "target '\(rule.name)'", program, isSecret: isSecret)
    }
    return nil
  }

  /// Tells that a secret stands on a command line: who may see processes sees it there.
  private mutating func tellSecretArgument(
    _ command: CommandRule, _ rule: TargetRule, isProgram: Bool
  ) {
    guard !isProgram else {
      return faults.append(command.node.fault("target '\(rule.name)': a secret names the program"))
    }
    var warning = command.node.fault(
      "target '\(rule.name)': a secret on a command line is seen by every user (proc(5), 'cmdline')",
      hint: "put it into a file with a target of its own, and tell the command its path")
    warning.severity = .warning
    if !warnings.contains(warning) { warnings.append(warning) }
  }

  /// Tells that a file with a secret in it can be read by every user.
  private mutating func tellOpenFile(_ step: FileStep, _ wish: FileRule) {
    guard step.desired.isSecret, step.mode & 0o004 != 0 else { return }
    var warning = wish.node.fault(
      "every user can read '\(step.desired.path)', which holds a secret",
      hint: "write 'mode: \"0600\"'")
    warning.severity = .warning
    warnings.append(warning)
  }
}
