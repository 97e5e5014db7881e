import Glibc
import SettledInputs

/// Where a target's file really lies: its path with a final symbolic link followed.
///
/// A link, also one on the way to the file, is followed only where no other user can swap it: it
/// belongs to root or to the user the daemon runs as, the rule of `fs.protected_symlinks`
/// (proc_sys_fs(5)) applied everywhere.
struct Destination {
  /// The number of links followed before it counts as a loop, the kernel's own limit
  /// (path_resolution(7)).
  static let linkLimit = 40

  /// The path to write, of which the last part is not a link.
  let path: String

  /// Follows `path` to the file it means.
  init(following path: String) throws(SystemError) {
    try Self.checkDirectories(of: path)
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
      try Self.checkOwner(status, of: current)
      current = FilePaths.resolve(
        try Self.target(of: current), from: FilePaths.directory(of: current))
      try Self.checkDirectories(of: current)
    }
    throw SystemError("follow the links of", path, code: ELOOP)
  }

  private static func checkOwner(_ status: stat, of link: String) throws(SystemError) {
    guard status.st_uid == 0 || status.st_uid == geteuid() else {
      throw SystemError("follow the link of another user at", link, code: EPERM)
    }
  }

  /// Refuses a path on which a directory is another user's link; what is not there is no link.
  private static func checkDirectories(of path: String) throws(SystemError) {
    var rest = Array(path.split(separator: "/").dropLast().reversed())
    var current = ""
    var links = 0
    while let name = rest.popLast() {
      if name == ".." {
        current = String(current[..<(current.lastIndex(of: "/") ?? current.startIndex)])
        continue
      }
      if name == "." { continue }
      let next = current + "/" + name
      var status = stat()
      guard lstat(next, &status) == 0 else { return }
      guard status.st_mode & S_IFMT == S_IFLNK else {
        current = next
        continue
      }
      try checkOwner(status, of: next)
      links += 1
      guard links <= linkLimit else { throw SystemError("follow the links of", path, code: ELOOP) }
      let target = try target(of: next)
      if target.hasPrefix("/") { current = "" }
      rest += target.split(separator: "/").reversed()
    }
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
