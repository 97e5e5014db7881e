import SettledValues
import SettledYAML
import Targets

/// Compares what targets want with what stands on the disk.
struct Planner {
  let manifest: Manifest
  let inputs: InputSet

  /// The steps that bring every file to what is wanted; none for a file that already is.
  ///
  /// Files that are wanted as in `former`, the generation in force, are not looked at.
  ///
  /// - Throws: the faults of all targets: two with one destination, one that is an input, one that
  ///   cannot be examined.
  mutating func steps(
    for desired: [DesiredFile], after former: [DesiredFile]?
  ) throws(Refusal) -> [FileStep] {
    var faults = clashes(desired)
    var steps: [FileStep] = []
    for (position, file) in desired.enumerated() {
      if let former, former[position] == file { continue }
      do {
        if let step = try FileStep(for: file) { steps.append(step) }
      } catch {
        faults.append(manifest.diagnostic(of: error, for: manifest.targets[position]))
      }
    }
    guard faults.isEmpty else { throw Refusal(faults) }
    return steps
  }

  private func clashes(_ desired: [DesiredFile]) -> [Diagnostic] {
    var owners: [Value: Int] = [:]
    var faults: [Diagnostic] = []
    let read = Set(inputs.files.map { Value.string(FilePaths.physical($0.path)) })
    for (position, file) in desired.enumerated() {
      let key = Value.string(FilePaths.physical(file.path))
      let rule = manifest.targets[position]
      if read.contains(key) {
        faults.append(
          rule.fileNode.fault("target '\(rule.name)' would overwrite the input '\(file.path)'"))
      }
      if let owner = owners[key] {
        let other = manifest.targets[owner]
        faults.append(
          rule.fileNode.fault(
            "targets '\(other.name)' and '\(rule.name)' have one destination, '\(file.path)'",
            notes: [Diagnostic.Note("the other is here", at: other.fileNode.place)]))
      }
      owners[key] = position
    }
    return faults
  }
}
