public import Glibc
public import SettledInputs

/// One file that an apply puts into place.
public struct FileStep: Sendable, Hashable {
  /// What the step does to the destination.
  public enum Change: String, Sendable, Hashable {
    /// Nothing stands there yet.
    case create
    /// The content differs; owner and mode may too.
    case replace
    /// Only owner or mode differ.
    case attributes
    /// The file is no longer wanted.
    case remove
  }

  /// What it does.
  public var change: Change
  /// The file as it is wanted; empty bytes for a removal.
  public var desired: DesiredFile
  /// The path that is written, links followed.
  public var destination: String
  /// The path beside it where the new file is staged; no other file has this name.
  public var staged: String
  /// What stood there when the plan was made.
  public var standing: Standing?
  /// The permission bits it gets.
  public var mode: mode_t
  /// The user it gets.
  public var user: uid_t
  /// The group it gets.
  public var group: gid_t
  /// Why it is done.
  public var reasons: [Reason] = []
  /// Whether what stands there is not what settled wrote, so that a copy of it is kept.
  public var keepsStanding = false
}

extension FileStep {
  /// Whether the file that stands there is written into, and not replaced.
  public var isInPlace: Bool {
    desired.stagingDirectory != nil && (change == .replace || change == .attributes)
  }

  /// The path of the old file, or of a copy of it, where it does not stand at ``staged``.
  var former: String { Journal.Entry.former(of: staged) }
}

extension FileStep {
  /// Compares what is wanted with what stands on the disk; nil where nothing is to be done.
  ///
  /// - Throws: why the destination cannot be examined or replaced.
  public init?(for desired: DesiredFile) throws(SystemError) {
    var checked = CheckedDirectories()
    try self.init(for: desired, owner: Owner.Numbers(), &checked)
  }

  /// Compares what is wanted with what stands on the disk; nil where nothing is to be done.
  ///
  /// - Parameters:
  ///   - desired: what is wanted.
  ///   - owner: the numbers of the owner that is wanted.
  ///   - checked: directories that were looked at for the same plan.
  /// - Throws: why the destination cannot be examined or replaced.
  public init?(
    for desired: DesiredFile, owner: Owner.Numbers, _ checked: inout CheckedDirectories
  ) throws(SystemError) {
    let destination = try Destination(following: desired.path, &checked).path
    let standing = try Standing.look(at: destination)
    self.desired = desired
    self.destination = destination
    staged = Self.staged(in: desired.stagingDirectory, or: destination, standing)
    self.standing = standing
    mode = desired.mode ?? standing?.mode ?? desired.defaultMode
    user = owner.user ?? standing?.user ?? geteuid()
    group = owner.group ?? standing?.group ?? getegid()
    guard let standing else {
      change = .create
      try checkDirectory()
      return
    }
    guard try standing.holds(desired.bytes, at: destination) else {
      change = .replace
      return
    }
    change = .attributes
    if (mode, user, group) == (standing.mode, standing.user, standing.group) { return nil }
  }

  /// What the names of staged files begin with.
  package static let stagedPrefix = ".settled-"

  private static func staged(beside path: String) -> String {
    let name = stagedPrefix + String(UInt64.random(in: .min ... .max), radix: 16)
    return FilePaths.resolve(name, from: FilePaths.directory(of: path))
  }

  /// A path in the staging directory for what is written into, else beside the destination.
  private static func staged(
    in directory: String?, or destination: String, _ standing: Standing?
  ) -> String {
    guard let directory, standing != nil else { return staged(beside: destination) }
    return staged(beside: directory + "/file")
  }

  private func checkDirectory() throws(SystemError) {
    let directory = FilePaths.directory(of: destination)
    guard !desired.makesDirectories, FileIdentity.following(directory) == nil else { return }
    throw SystemError("find the directory", directory, code: ENOENT)
  }

  /// Makes the step that takes away the file of a target, or nil where nothing stands there.
  ///
  /// - Throws: why the destination cannot be examined; `EBUSY` for a mount point.
  public init?(removing path: String, target: String) throws(SystemError) {
    guard let standing = try Standing.look(at: path) else { return nil }
    guard !SystemCalls.isMountPoint(path) else { throw SystemError("remove", path, code: EBUSY) }
    change = .remove
    desired = DesiredFile(target: target, path: path, bytes: [])
    destination = path
    staged = Self.staged(beside: path)
    self.standing = standing
    mode = standing.mode
    user = standing.user
    group = standing.group
  }
}
