import Glibc
import SettledInputs
import SettledValues
import Targets

/// What was last applied with success, and what is still to be done: it survives restarts.
public struct Applied: Sendable, Equatable {
  /// A file that settled wrote.
  struct File: Sendable, Equatable {
    var path: String
    /// The digest of the content.
    var digest: String
    /// The permission bits that were asked for, nil for none.
    var mode: Int64?
    /// The owner that was asked for, as it was written; nil for none.
    var owner: String?
    /// Whether it stood there with this content before settled came, and was never written by it.
    var isFound = false

    init(path: String, digest: String) {
      self.path = path
      self.digest = digest
    }

    init(_ file: DesiredFile) {
      self.init(
        path: file.path, digest: file.isSecret ? file.bytes.secretDigest : file.bytes.digest)
      takeRights(of: file)
    }

    mutating func takeRights(of file: DesiredFile) {
      mode = file.mode.map { Int64($0) }
      owner = file.owner?.text
    }
  }

  /// The files, by the name of the instance.
  var files: PartedMap<File> = [:]
  /// The digests of the values that instances follow, by name.
  var followed: PartedMap<String> = [:]
  /// The instances whose actions failed, or were not reached.
  public internal(set) var pending: Set<String> = []
  /// What is to be done when a file of a target goes that the manifest may not have any more, by the
  /// name of the target.
  var actions: PartedMap<[DueAction]> = [:]
  /// What is still to be done for instances that are wanted no more, by name.
  var due: [String: [DueAction]] = [:]

  /// Creates the state of a machine on which nothing was applied.
  public init() {}

  /// Creates the state in which everything is as it is wanted, and was before but for what is told
  /// to ``noteWritten(_:)``.
  init(_ wanted: [Wanted], after applied: Applied) {
    for instance in wanted { take(instance, after: applied) }
  }

  /// Creates the state in which everything is as it is wanted, from the one in which the same
  /// instances wanted other things: what is wanted as before is not digested again.
  init(_ wanted: [Wanted], after former: [Wanted], _ applied: Applied) {
    self.init()
    (files, followed, actions) = (applied.files, applied.followed, applied.actions)
    for (instance, known) in zip(wanted, former) where instance != known {
      files[instance.name] = nil
      followed[instance.name] = nil
      take(instance, after: applied)
    }
  }

  private mutating func take(_ instance: Wanted, after applied: Applied) {
    if let wanted = instance.file {
      var file = File(wanted)
      let known = applied.files[instance.name].flatMap { $0.path == file.path ? $0 : nil }
      file.isFound = known?.isFound ?? true
      files[instance.name] = file
    }
    if let followed = instance.followed { self.followed[instance.name] = followed.digest }
  }
}

extension Applied {
  /// Whether an instance wants the file that was last applied for it, with the same rights.
  func holds(_ instance: Wanted) -> Bool {
    guard let file = instance.file, let applied = files[instance.name] else { return false }
    var wanted = File(path: file.path, digest: applied.digest)
    wanted.isFound = applied.isFound
    wanted.takeRights(of: file)
    return applied == wanted && file.bytes.hasDigest(applied.digest)
  }

  /// Whether what stands where the step of an instance goes is what settled wrote there.
  ///
  /// - Throws: why it cannot be read.
  func wrote(_ name: String, what step: FileStep) throws(SystemError) -> Bool {
    guard let file = files[name], let standing = step.standing else { return false }
    do {
      let size = Int(standing.identity.size)
      let bytes = try AtomicFile.read(step.destination, limit: size, expected: size)
      return bytes?.hasDigest(file.digest) == true
    } catch  where error.code == EFBIG {
      // It grew since it was looked at.
      return false
    }
  }

  /// Takes in that actions are still to be done for what stands: those of an instance that was
  /// applied, and of another one those that its target asks for when a file of it goes.
  public mutating func keepPending(_ names: [String]) {
    for name in names {
      if files[name] == nil, followed[name] == nil {
        guard let known = actions[name] ?? actions[name.nameOfTarget] else {
          continue
        }
        due[name] = known
      }
      pending.insert(name)
    }
  }

  /// Takes in that these steps write files.
  mutating func noteWritten(_ steps: [FileStep]) {
    for step in steps where [.create, .replace].contains(step.change) {
      let name = step.desired.target
      if files[name]?.isFound == true { files[name]?.isFound = false }
    }
  }

  /// Goes back to what was applied of one instance.
  mutating func leaveOut(_ name: String, after former: Applied) {
    files[name] = former.files[name]
    followed[name] = former.followed[name]
  }
}
