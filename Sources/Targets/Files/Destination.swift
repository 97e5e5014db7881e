import Glibc
import SettledInputs
import SettledValues

/// Directories that no link of another user leads to, so that many files of one need a single look.
public struct CheckedDirectories: Sendable {
  private var known: Set<Value> = []

  /// None yet.
  public init() {}

  /// Refuses a path on which a directory is another user's link; what is not there is no link.
  fileprivate mutating func check(for path: String) throws(SystemError) {
    let directory = FilePaths.directory(of: path)
    guard !known.contains(.string(directory)) else { return }
    for link in try LinkedPath(directory).links {
      try Destination.checkOwner(link.owner, of: link.path)
    }
    known.insert(.string(directory))
  }
}

/// Where a target's file really lies: its path with a final symbolic link followed.
///
/// A link, also one on the way to the file, is followed only where no other user can swap it: it
/// belongs to root or to the user the daemon runs as, the rule of `fs.protected_symlinks`
/// (proc_sys_fs(5)) applied everywhere.
struct Destination {
  /// The path to write, of which the last part is not a link.
  let path: String

  /// Follows `path` to the file it means.
  init(following path: String, _ checked: inout CheckedDirectories) throws(SystemError) {
    try checked.check(for: path)
    var current = path
    for _ in 0...LinkedPath.linkLimit {
      var status = stat()
      guard lstat(current, &status) == 0 else {
        guard errno == ENOENT else { throw SystemError("examine", current) }
        self.path = current
        return
      }
      guard status.st_mode & S_IFMT == S_IFLNK else {
        self.path = current
        return
      }
      try Self.checkOwner(status.st_uid, of: current)
      current = FilePaths.resolve(
        try LinkedPath.target(of: current), from: FilePaths.directory(of: current))
      try checked.check(for: current)
    }
    throw SystemError("follow the links of", path, code: ELOOP)
  }

  fileprivate static func checkOwner(_ owner: uid_t, of link: String) throws(SystemError) {
    guard owner == 0 || owner == geteuid() else {
      throw SystemError("follow the link of another user at", link, code: EPERM)
    }
  }
}
