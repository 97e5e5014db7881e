import Glibc

/// A small file that is always whole: replaced in one step, and on the disk when the call returns.
public enum AtomicFile {
  /// Replaces the file at `path`, which is created with mode 0600.
  public static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let staged = path + ".new"
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW
    let file = try Descriptor(staged, flags, mode: 0o600, verb: "create")
    try file.writeAll(bytes)
    try file.synchronize()
    guard rename(staged, path) == 0 else { throw SystemError("replace", path) }
    try synchronizeDirectory(of: path)
  }

  /// Reads the file at `path`, or nil where there is none.
  public static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8]? {
    do {
      return try Descriptor(path, O_RDONLY, verb: "read").readAll(limit: limit)
    } catch let error where error.code == ENOENT {
      return nil
    }
  }

  /// Removes the file at `path`, where there is one.
  public static func remove(_ path: String) throws(SystemError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("remove", path) }
    try synchronizeDirectory(of: path)
  }

  private static func synchronizeDirectory(of path: String) throws(SystemError) {
    let directory = FilePaths.directory(of: path)
    try Descriptor(directory, O_RDONLY | O_DIRECTORY, verb: "synchronize").synchronize()
  }
}
