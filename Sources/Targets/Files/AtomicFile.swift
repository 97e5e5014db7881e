import Glibc
public import SettledInputs

/// A small file that is always whole: replaced in one step, and on the disk when the call returns.
public enum AtomicFile {
  /// Replaces the file at `path`, which is created with mode 0600.
  public static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    do throws(SystemError) {
      try stage(bytes, at: unfinished(path))
      guard rename(unfinished(path), path) == 0 else { throw SystemError("replace", path) }
    } catch {
      clearUnfinished(path)
      throw error
    }
    try synchronizeDirectory(of: path)
  }

  /// Removes what a write of `path` left that was cut short.
  public static func clearUnfinished(_ path: String) { unlink(unfinished(path)) }

  private static func unfinished(_ path: String) -> String { path + ".new" }

  private static func stage(_ bytes: [UInt8], at path: String) throws(SystemError) {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW
    let file = try Descriptor(path, flags, mode: 0o600, verb: "create")
    try file.writeAll(bytes)
    try file.synchronize()
  }

  /// Reads the file at `path`, or nil where there is none.
  public static func read(
    _ path: String, limit: Int, expected: Int = 0
  ) throws(SystemError) -> [UInt8]? {
    do {
      return try Descriptor(path, O_RDONLY | O_NONBLOCK, verb: "read")
        .readAll(limit: limit, expected: expected)
    } catch let error where error.code == ENOENT {
      return nil
    }
  }

  /// Removes the file at `path`, where there is one.
  public static func remove(_ path: String) throws(SystemError) {
    guard unlink(path) == 0 else {
      if errno == ENOENT { return }
      throw SystemError("remove", path)
    }
    try synchronizeDirectory(of: path)
  }

  private static func synchronizeDirectory(of path: String) throws(SystemError) {
    try Directories.synchronize(FilePaths.directory(of: path))
  }
}
