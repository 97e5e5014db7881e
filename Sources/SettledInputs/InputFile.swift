import Glibc

/// A file that was read for a generation.
public struct InputFile: Sendable {
  /// The absolute path.
  public var path: String
  /// The path as messages show it.
  public var shown: String
  /// The bytes.
  public var bytes: [UInt8]
  /// Which state of the file was read.
  public var identity: FileIdentity
  /// Whether nothing of it may be shown or stored: what is stored is where it lies.
  public var isSecret = false
  /// Whether it is none of the disk's, and stays as it is until the program ends.
  private var isConstant = false
  /// The size in bytes up to which it was read, and is read again.
  private var limit = Int.max
  /// Whether its mode lets every user read it.
  private var isOpen = false
  /// Whether it was written so shortly before that a later write may leave the same identity.
  var isFresh: Bool

  /// How long a file's identity is not relied on, in nanoseconds.
  ///
  /// A file system's clock stands still for up to a tick of the kernel, so two writes that follow
  /// each other closely may leave one identity. Ten times the longest tick is safe.
  private static let freshness: Int64 = 100_000_000

  /// How often a file is opened at most that is replaced meanwhile.
  private static let openings = 10

  /// Reads the file at `path`.
  ///
  /// - Throws: the failure; `EISDIR` for a directory, `EINVAL` for what is no regular file, `EPERM`
  ///   for one that another user's link leads to.
  init(_ path: String, shown: String, limit: Int) throws(SystemError) {
    for _ in 1..<Self.openings {
      do throws(SystemError) {
        self = try InputFile(opening: path, shown: shown, limit: limit)
        return
      } catch  where error.code == ESTALE {}
    }
    self = try InputFile(opening: path, shown: shown, limit: limit)
  }

  private init(opening path: String, shown: String, limit: Int) throws(SystemError) {
    // To open a device may already do something, and a pipe wakes who waits at its other end.
    var found = stat()
    if stat(path, &found) == 0 { try Self.checkKind(found, of: path) }
    let file = try Descriptor(path, O_RDONLY | O_NONBLOCK, verb: "read")
    let status = try file.status()
    try Self.checkKind(status, of: path)
    try Self.checkLinks(on: path, to: status)
    self.path = path
    self.shown = shown
    self.limit = limit
    identity = FileIdentity(status)
    isFresh = Self.now - identity.changed < Self.freshness
    isOpen = status.st_mode & S_IROTH != 0
    bytes = try file.readAll(limit: limit, expected: Int(status.st_size))
  }

  /// Refuses what is no regular file.
  private static func checkKind(_ status: stat, of path: String) throws(SystemError) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw SystemError("read", path, code: EISDIR)
    default: throw SystemError("read the special file", path, code: EINVAL)
    }
  }

  /// Refuses a file to which a link of another user leads, unless it is a file of that user: who may
  /// put a link in the place of an input could have all shown that the daemon may read.
  private static func checkLinks(on path: String, to file: stat) throws(SystemError) {
    let way = try LinkedPath(path)
    for link in way.links where ![0, geteuid(), file.st_uid].contains(link.owner) {
      throw SystemError("follow the link of another user at", link.path, code: EPERM)
    }
    // A link that was exchanged before it was looked at led elsewhere.
    guard let end = FileIdentity.look(at: way.end),
      (end.device, end.inode) == (UInt64(file.st_dev), UInt64(file.st_ino))
    else { throw SystemError("read", path, code: ESTALE) }
  }

  /// Creates a file from what was stored of it: it is never taken for what stands on the disk.
  init(_ path: String, shown: String, stored bytes: [UInt8]) {
    self.path = path
    self.shown = shown
    self.bytes = bytes
    identity = FileIdentity(stat())
    isFresh = false
  }

  /// Creates an input that is no file, such as a variable of the environment.
  init(_ name: String, constant bytes: [UInt8]) {
    self.init(name, shown: name, stored: bytes)
    isConstant = true
  }

  /// Whether every user can read it: its mode lets them, and that of each directory it lies in.
  public var isReadableByAll: Bool {
    guard isOpen else { return false }
    var directory = FilePaths.directory(of: FilePaths.physical(path))
    while true {
      var status = stat()
      guard stat(directory, &status) == 0, status.st_mode & S_IXOTH != 0 else { return false }
      if directory == "/" { return true }
      directory = FilePaths.directory(of: directory)
    }
  }

  /// Tells whether the path still leads to these bytes, without reading them where that is certain.
  func isCurrent() -> Bool {
    if isConstant { return true }
    if !isFresh { return FileIdentity.following(path) == identity }
    let current = try? InputFile(path, shown: shown, limit: limit)
    return current?.bytes == bytes
  }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// An input of a generation, as something to watch.
public enum InputRule: Sendable, Hashable {
  /// A file that must be there.
  case file(String)
  /// A file that may be there.
  case optional(String)
  /// All drop-ins of a directory that match.
  case glob(Glob)
}
