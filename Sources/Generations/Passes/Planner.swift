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
  let program: Program
  let inputs: InputSet
  let applied: Applied
  private var faults: [Diagnostic] = []
  private(set) var warnings: [Diagnostic] = []
  private var plan = Plan()

  init(_ program: Program, inputs: InputSet, applied: Applied) {
    self.program = program
    self.inputs = inputs
    self.applied = applied
  }

  /// The plan that brings everything to what is wanted.
  ///
  /// Instances that want what they wanted in `former`, the generation in force, are not looked at.
  ///
  /// - Throws: the faults of all targets: two with one destination, one that is an input, one that
  ///   cannot be examined.
  mutating func plan(
    for wanted: [Wanted], after former: [Wanted]
  ) throws(Refusal) -> Plan {
    let former = Dictionary(former.map { (Value.string($0.name), $0) }) { first, _ in first }
    findClashes(wanted)
    for instance in wanted {
      let isPending = applied.pending.contains(instance.name)
      if !isPending, former[.string(instance.name)] == instance { continue }
      let isChanged = addFile(instance) || isFollowedChanged(instance)
      if isChanged || isPending { addActions(instance) }
    }
    addRemovals(wanted)
    plan.actions = plan.actions.folded()
    guard faults.isEmpty else { throw Refusal(faults) }
    return plan
  }

  /// The plan of who wants none.
  ///
  /// - Throws: the faults that need no look at the disk.
  mutating func emptyPlan(for wanted: [Wanted]) throws(Refusal) -> Plan {
    findClashes(wanted)
    guard faults.isEmpty else { throw Refusal(faults) }
    return plan
  }

  private func rule(_ instance: Wanted) -> TargetRule { program.manifest.targets[instance.rule] }

  /// Adds the step of a file and its tests, and tells whether there is one.
  private mutating func addFile(_ instance: Wanted) -> Bool {
    guard let file = instance.file, let wish = rule(instance).file else { return false }
    do {
      guard let step = try FileStep(for: file) else { return false }
      plan.files.append(step)
      tellOpenFile(step, wish)
      if let check = wish.check, let command = command(check, instance, step, staged: step.staged) {
        plan.checks.append(Plan.Test(target: instance.name, command))
      }
      if let verify = wish.verify, let command = command(verify, instance, step) {
        plan.verifications.append(Plan.Test(target: instance.name, command))
      }
      return true
    } catch {
      faults.append(program.manifest.diagnostic(of: error, for: rule(instance)))
      return false
    }
  }

  private func isFollowedChanged(_ instance: Wanted) -> Bool {
    guard let followed = instance.followed else { return false }
    return !followed.hasDigest(applied.followed[instance.name])
  }

  private mutating func addActions(_ instance: Wanted) {
    let rule = rule(instance)
    for action in rule.actions {
      guard let action = self.action(action, instance) else { continue }
      plan.actions.append(
        ActionStep(
          action, target: instance.name, isRequired: rule.isRequired, timeout: rule.timeout))
    }
  }

  private mutating func action(_ rule: ActionRule, _ instance: Wanted) -> Action? {
    switch rule {
    case .reload(let unit): .reload(unit: unit)
    case .restart(let unit): .restart(unit: unit)
    case .signal(let unit, let number): .signal(unit: unit, number: number)
    case .run(let rule): command(rule, instance, nil).map { .run($0) }
    }
  }

  /// The command as it is now, told in its environment what it is for.
  private mutating func command(
    _ command: CommandRule, _ instance: Wanted, _ step: FileStep?, staged: String? = nil
  ) -> Command? {
    let rule = rule(instance)
    let texts = ["staged": staged, "file": step?.destination].compactMapValues { $0 }
    let lookup = InstanceLookup(program, rule, key: instance.key, texts: texts)
    do {
      var environment = ["SETTLED_TARGET": instance.name]
      environment["SETTLED_FILE"] = step?.destination
      environment["SETTLED_STAGED"] = staged
      var arguments: [String] = []
      for argument in command.arguments {
        arguments.append(try argument.render(lookup))
        guard lookup.takeSecretRead() else { continue }
        tellSecretArgument(command, rule, isProgram: arguments.count == 1)
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

  /// Adds the removal of files that are wanted no more: only what settled wrote, and nobody changed.
  private mutating func addRemovals(_ wanted: [Wanted]) {
    let paths = Set(wanted.compactMap { $0.file.map { Value.string($0.path) } })
    for (name, file) in applied.files.sorted(by: { $0.key < $1.key })
    where !paths.contains(.string(file.path)) {
      do {
        guard let step = try FileStep(removing: file.path, target: name) else { continue }
        let bytes = try AtomicFile.read(file.path, limit: 1 << 30) ?? []
        if bytes.hasDigest(file.digest) {
          plan.files.append(step)
          addActions(ofRemoved: name)
        } else {
          warnings.append(
            Diagnostic(
              .warning,
              "'\(file.path)' is wanted no more, and stays: somebody changed what settled wrote"))
        }
      } catch {
        faults.append(Diagnostic(.error, error.description, hint: error.hint))
      }
    }
  }

  /// Adds what is to be done once the file of an instance is gone: its unit must notice too.
  private mutating func addActions(ofRemoved name: String) {
    let targets = program.manifest.targets
    guard let position = targets.firstIndex(where: { $0.name == name.prefix { $0 != "[" } })
    else { return }
    var instance = Wanted(name: name, rule: position)
    if targets[position].each != nil {
      instance.key = .string(String(name.dropFirst(targets[position].name.count + 1).dropLast()))
    }
    let known = faults.count
    addActions(instance)
    guard faults.count > known else { return }
    faults.removeSubrange(known...)
    warnings.append(
      Diagnostic(.warning, "'run' of '\(name)' reads an entry that is gone, and does not run"))
  }

  private mutating func findClashes(_ wanted: [Wanted]) {
    var owners: [Value: Wanted] = [:]
    let read = Set(inputs.files.map { Value.string(FilePaths.physical($0.path)) })
    for instance in wanted {
      guard let file = instance.file, let wish = rule(instance).file else { continue }
      let key = Value.string(FilePaths.physical(file.path))
      if read.contains(key) {
        faults.append(
          wish.node.fault("target '\(instance.name)' would overwrite the input '\(file.path)'"))
      }
      if let owner = owners[key], let other = rule(owner).file {
        faults.append(
          wish.node.fault(
            "targets '\(owner.name)' and '\(instance.name)' have one destination, '\(file.path)'",
            notes: [Diagnostic.Note("the other is here", at: other.node.place)]))
      }
      owners[key] = instance
    }
  }
}
