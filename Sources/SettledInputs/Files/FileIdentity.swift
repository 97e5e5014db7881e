public import Glibc

/// What tells one state of a file from another without reading it.
///
/// Modification time alone misses a rewrite that restores it, so the change time counts too
/// (inode(7)).
public struct FileIdentity: Sendable, Hashable {
  /// The file system it lies on.
  public var device: UInt64
  /// The inode.
  public var inode: UInt64
  /// The size in bytes.
  public var size: Int64
  /// The last change of its bytes, in nanoseconds since the epoch.
  public var modified: Int64
  /// The last change of its bytes or attributes, in nanoseconds since the epoch.
  public var changed: Int64

  /// Creates the identity that stat(2) gave.
  public init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    changed = Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
  }

  /// What a rename keeps of the identity, as text.
  ///
  /// The inode alone does not tell files apart: a file system gives the number of a removed file
  /// to the next one.
  public var renamed: String { "\(device):\(inode):\(size):\(modified)" }

  /// The identity of the file that `path` leads to, links followed; nil where nothing is there.
  public static func following(_ path: String) -> FileIdentity? {
    var status = stat()
    return stat(path, &status) == 0 ? FileIdentity(status) : nil
  }

  /// Reads the identity of `path` itself, of the link where it is one; nil where nothing is there.
  public static func look(at path: String) -> FileIdentity? {
    var status = stat()
    return lstat(path, &status) == 0 ? FileIdentity(status) : nil
  }
}
