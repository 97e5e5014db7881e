import Glibc
public import SettledInputs

/// Makes directories, and sees that what was done in them is on the disk.
public enum Directories {
  /// Makes a directory with `mode`, and those above it that are missing with mode 0755.
  ///
  /// - Returns: the directories that were made, the deepest last.
  @discardableResult
  public static func make(_ path: String, mode: UInt32) throws(SystemError) -> [String] {
    if mkdir(path, mode) == 0 { return [path] }
    switch errno {
    case EEXIST:
      guard FileIdentity.following(path) != nil else { throw SystemError("follow the link", path) }
      return []
    case ENOENT:
      let made = try make(FilePaths.directory(of: path), mode: 0o755)
      // A file system such as proc(5) says so also where the directory above is there.
      if mkdir(path, mode) == 0 { return made + [path] }
      guard errno == EEXIST else { throw SystemError("create", path) }
      return made
    default: throw SystemError("create", path)
    }
  }

  /// The directories that ``make(_:mode:)`` would have to make for `path`, the deepest last.
  static func missing(_ path: String) -> [String] {
    guard FileIdentity.following(path) == nil else { return [] }
    return missing(FilePaths.directory(of: path)) + [path]
  }

  /// The names in a directory, in no order.
  package static func names(in path: String) throws(SystemError) -> [String] {
    guard let stream = opendir(path) else { throw SystemError("list", path) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Waits until the names in a directory are on the disk (fsync(2)); one that is on none, as of
  /// proc(5), has nothing to wait for.
  static func synchronize(_ path: String) throws(SystemError) {
    let directory = try Descriptor(path, O_RDONLY | O_DIRECTORY, verb: "synchronize")
    do throws(SystemError) {
      try directory.synchronize()
    } catch  where error.code == EINVAL || error.code == ENOTSUP {}
  }
}
