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
        if case .input? = holder(of: file.path) {
          tellStaying(file.path, "it is an input")
          continue
        }
        guard var step = try FileStep(removing: file.path, target: name) else { continue }
        guard !file.isFound else {
          tellStaying(file.path, "it stood there as it is before settled wanted it")
          continue
        }
        step.reasons = [.unwanted]
        let bytes = try AtomicFile.read(file.path, limit: 1 << 30) ?? []
        if bytes.hasDigest(file.digest) {
          plan.files.append(step)
          addActions(ofRemoved: name, at: file.path)
        } else {
          tellStaying(file.path, "somebody changed what settled wrote")
        }
      } catch let error where error.code == EBUSY {
        tellStaying(file.path, "it is a mount point")
      } catch let error where [EINVAL, EISDIR].contains(error.code) {
        tellStaying(file.path, "what stands there is no regular file")
      } catch let error where error.code == ENOTDIR {
        // Its directory is gone, and it with it.
        continue
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
    return applied.files.sorted.filter { _, file in
      !paths.contains(.string(file.path)) && !isWanted(file.path)
    }
  }

  /// Whether a path leads to a file that is wanted, for which there is another path now.
  private func isWanted(_ path: String) -> Bool {
    if case .target? = holder(of: path) { true } else { false }
  }

  private func holder(of path: String) -> Places.Holder? {
    looks.places?.holder(of: FilePaths.physical(path))
  }

  private mutating func tellStaying(_ path: String, _ reason: String) {
    warnings.append(Diagnostic(.warning, "'\(path)' is wanted no more, and stays: \(reason)"))
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
    let rule = name.nameOfTarget
    if let position = program.manifest.targets.firstIndex(where: { $0.name == rule }) {
      addActions(ofRemoved: name, position, at: path)
    } else {
      let actions = applied.actions[name] ?? applied.actions[rule] ?? []
      plan.actions += actions.map { action in
        var step = action.step(for: name, at: path, because: .unwanted)
        // Nothing of the manifest asks for what it leaves behind any more.
        step.isRequired = false
        return step
      }
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
