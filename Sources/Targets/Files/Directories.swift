import Glibc

/// Makes directories.
public enum Directories {
  /// Makes a directory with `mode`, and those above it that are missing with mode 0755.
  ///
  /// - Returns: the directories that were made, the deepest last.
  @discardableResult
  public static func make(_ path: String, mode: UInt32) throws(SystemError) -> [String] {
    if mkdir(path, mode) == 0 { return [path] }
    switch errno {
    case EEXIST: return []
    case ENOENT:
      let made = try make(FilePaths.directory(of: path), mode: 0o755)
      return made + (try make(path, mode: mode))
    default: throw SystemError("create", path)
    }
  }
}
