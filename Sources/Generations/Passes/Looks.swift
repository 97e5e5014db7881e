import SettledInputs
import SettledValues
import Targets

/// What was seen of the files of targets that want what they wanted before.
///
/// A file that was looked at, and of which the kernel still tells the same identity, is not read
/// again.
struct Looks {
  /// What became of files that settled wrote, by instance; of those that are as they were, nothing.
  var drifts: [String: Drift] = [:]
  /// When those that drifted are put back.
  var repairs = Repairs()
  /// Where everything lies, as it was found when the last plan was made.
  var places: Places?
  /// Where the links lead that stand at destinations, by instance.
  var links: [String: String] = [:]
  /// The files that were found to be what is wanted.
  private var sound: [String: FileIdentity] = [:]

  /// The step that brings a file to what is wanted, or nil where nothing is to be done.
  ///
  /// - Parameters:
  ///   - file: what is wanted.
  ///   - name: the instance.
  ///   - isHeld: whether the same was wanted before, so that what was seen then still counts.
  ///   - checked: directories that were looked at for the same plan.
  ///   - owner: looks the owner up.
  /// - Throws: why the file cannot be examined, or what its owner is not.
  /// - Returns: the step, or nil.
  mutating func step(
    for file: DesiredFile, of name: String, isHeld: Bool, checked: inout CheckedDirectories,
    owner: () throws(Owner.Fault) -> Owner.Numbers
  ) throws(Obstacle) -> FileStep? {
    let identity = FileIdentity.following(file.path)
    if isHeld, let identity, sound[name] == identity { return nil }
    let owner = try Obstacle.of { () throws(Owner.Fault) in try owner() }
    links[name] =
      FileIdentity.look(at: file.path)?.inode == identity?.inode ? nil : file.path.linked
    let step = try Obstacle.of { () throws(SystemError) in
      try FileStep(for: file, owner: owner, &checked)
    }
    drifts[name] = nil
    if step == nil || !isHeld { repairs.settle(name) }
    sound[name] = step == nil ? identity : nil
    return step
  }

  /// Takes in that a file cannot be looked at.
  mutating func note(_ drift: Drift, of name: String) {
    drifts[name] = drift
    sound[name] = nil
  }

  /// Forgets the instances that are not among `wanted`, or have no file; there is none where these are
  /// the same ones as before.
  mutating func keep(_ wanted: [Wanted], after former: [Wanted]?) {
    if let former, wanted.haveSamePlaces(as: former) { return }
    guard !sound.isEmpty || !drifts.isEmpty || !repairs.isEmpty || !links.isEmpty else { return }
    let names = Set(wanted.lazy.filter { $0.file != nil }.map(\.name))
    repairs.keep(names)
    sound = sound.filter { names.contains($0.key) }
    drifts = drifts.filter { names.contains($0.key) }
    links = links.filter { names.contains($0.key) }
  }
}
