import Glibc
import SettledInputs

/// Where a target's file really lies: its path with a final symbolic link followed.
///
/// A link is followed only where no other user can swap it: it belongs to root or to the user the
/// daemon runs as, the rule of `fs.protected_symlinks` (proc_sys_fs(5)) applied everywhere.
struct Destination {
  /// The number of links followed before it counts as a loop, the kernel's own limit
  /// (path_resolution(7)).
  static let linkLimit = 40

  /// The path to write, of which the last part is not a link.
  let path: String

  /// Follows `path` to the file it means.
  init(following path: String) throws(SystemError) {
    var current = path
    for _ in 0...Self.linkLimit {
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
      guard status.st_uid == 0 || status.st_uid == geteuid() else {
        throw SystemError("follow the link of another user at", current, code: EPERM)
      }
      current = FilePaths.resolve(
        try Self.target(of: current), from: FilePaths.directory(of: current))
    }
    throw SystemError("follow the links of", path, code: ELOOP)
  }

  private static func target(of link: String) throws(SystemError) -> String {
    var failure: CInt = 0
    let bytes = [CChar](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, filled in
      let count = buffer.baseAddress.map { readlink(link, $0, buffer.count) } ?? 0
      if count < 0 { failure = errno }
      filled = max(count, 0)
    }
    guard failure == 0 else { throw SystemError("read the link", link, code: failure) }
    return String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
