import Glibc
import SettledInputs
import SettledObserving
import SettledValues
import Targets

extension Planner {
  /// Adds the removal of files that are wanted no more: only what settled wrote, and nobody changed.
  mutating func addRemovals(_ wanted: [Wanted], _ demand: Demand) {
    addDue(wanted, demand)
    for (name, file) in unwanted(wanted) {
      do {
        guard var step = try FileStep(removing: file.path, target: name) else { continue }
        step.reasons = [.unwanted]
        let bytes = try AtomicFile.read(file.path, limit: 1 << 30) ?? []
        if bytes.hasDigest(file.digest) {
          plan.files.append(step)
          addActions(ofRemoved: name, at: file.path)
        } else {
          warnings.append(
            Diagnostic(
              .warning,
              "'\(file.path)' is wanted no more, and stays: somebody changed what settled wrote"))
        }
      } catch let error where error.code == EBUSY {
        warnings.append(
          Diagnostic(
            .warning, "'\(file.path)' is wanted no more, and stays: it is a mount point"))
      } catch {
        faults.append(Diagnostic(.error, error.description, hint: error.hint))
      }
    }
  }

  /// The files that were applied and that nothing wants any more, by name.
  private func unwanted(_ wanted: [Wanted]) -> [(key: String, value: Applied.File)] {
    // What is in force was applied whole, and nothing else was.
    if former?.hasSamePlaces == true { return [] }
    let paths = Set(wanted.compactMap { $0.file.map { Value.string($0.path) } })
    return applied.files.sorted.filter { !paths.contains(.string($0.value.path)) }
  }

  /// Adds what failed for instances that are wanted no more, or keeps it for a later pass.
  private mutating func addDue(_ wanted: [Wanted], _ demand: Demand) {
    guard !applied.due.isEmpty else { return }
    let names = Set(wanted.map(\.name))
    for (name, actions) in applied.due.sorted(by: { $0.key < $1.key }) where !names.contains(name) {
      due[name] = actions
      guard demand.triesPending || demand.scope == .all else { continue }
      plan.actions += actions.map { $0.step(for: name, because: .failedBefore) }
    }
  }

  /// Adds what is to be done once the file of an instance is gone: its unit must notice too.
  private mutating func addActions(ofRemoved name: String, at path: String) {
    let before = plan.actions.count
    let rule = String(name.prefix { $0 != "[" })
    if let position = program.manifest.targets.firstIndex(where: { $0.name == rule }) {
      addActions(ofRemoved: name, position, at: path)
    } else {
      let actions = applied.actions[name] ?? applied.actions[rule] ?? []
      plan.actions += actions.map { $0.step(for: name, at: path, because: .unwanted) }
    }
    due[name] = plan.actions[before...].compactMap { DueAction($0) }
  }

  /// Adds the actions of an instance whose rule is still there.
  private mutating func addActions(ofRemoved name: String, _ position: Int, at path: String) {
    let rule = program.manifest.targets[position]
    let key = rule.each.map { _ in
      Value.string(String(name.dropFirst(rule.name.count + 1).dropLast()))
    }
    let instance = Wanted(name: name, rule: position, key: key)
    let known = faults.count
    addActions(instance, at: path, because: [.unwanted])
    guard faults.count > known else { return }
    faults.removeSubrange(known...)
    warnings.append(
      Diagnostic(.warning, "'run' of '\(name)' reads an entry that is gone, and does not run"))
  }
}
