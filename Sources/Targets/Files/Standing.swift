public import Glibc
public import SettledInputs

/// What stands at a destination before a plan is applied.
public struct Standing: Sendable, Hashable {
  /// Which file it is.
  public var identity: FileIdentity
  /// The permission bits, as chmod(2) takes them.
  public var mode: mode_t
  /// The owner.
  public var user: uid_t
  /// The group.
  public var group: gid_t

  init(_ status: stat) {
    identity = FileIdentity(status)
    mode = status.st_mode & 0o7777
    user = status.st_uid
    group = status.st_gid
  }

  /// Looks at `path`, of which the last part is not a link; nil where nothing stands there.
  ///
  /// - Throws: the failure, or a code that says what stands there when it is no regular file.
  static func look(at path: String) throws(SystemError) -> Standing? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      guard errno == ENOENT else { throw SystemError("examine", path) }
      return nil
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return Standing(status)
    case S_IFDIR: throw SystemError("replace", path, code: EISDIR)
    default: throw SystemError("replace the special file", path, code: EINVAL)
    }
  }

  /// Tells whether the file at `path` holds exactly `bytes`.
  func holds(_ bytes: [UInt8], at path: String) throws(SystemError) -> Bool {
    guard identity.size == Int64(bytes.count) else { return false }
    // Who put a pipe there meanwhile is not waited for.
    let file = try Descriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, verb: "read")
    do {
      return try file.readAll(limit: bytes.count, expected: bytes.count) == bytes
    } catch let error where error.code == EFBIG {
      return false
    }
  }
}
