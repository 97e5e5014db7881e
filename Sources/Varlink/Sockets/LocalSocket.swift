import CLinux
import Glibc

/// Local stream sockets by the path of a file, unix(7).
enum LocalSocket {
  /// Creates a socket that programs started from here do not inherit.
  static func create() throws(SocketFault) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw SocketFault("cannot create a socket", code: errno) }
    return descriptor
  }

  /// Calls `body` with the address of `path`.
  static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(SocketFault) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard !bytes.isEmpty, bytes.count <= room, !bytes.contains(0) else {
      throw SocketFault("the path of a socket must have 1 to \(room) bytes")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// Creates a socket that listens at `path`, where everyone may connect.
  ///
  /// A socket that nobody listens on any more is replaced, anything else at that path is not. The
  /// mode is set before anyone can connect, whatever the process's umask.
  static func listen(at path: String) throws(SocketFault) -> Int32 {
    try removeStale(path)
    let descriptor = try create()
    var failed: SocketFault?
    if try withAddress(path, { bind(descriptor, $0, $1) }) != 0 {
      failed = SocketFault("cannot bind '\(path)'", code: errno)
    } else if chmod(path, 0o666) != 0 || Glibc.listen(descriptor, SOMAXCONN) != 0 {
      failed = SocketFault("cannot listen at '\(path)'", code: errno)
      unlink(path)
    }
    guard let failed else { return descriptor }
    close(descriptor)
    throw failed
  }

  private static func removeStale(_ path: String) throws(SocketFault) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw SocketFault("'\(path)' exists and is not a socket")
    }
    let probe = try create()
    defer { close(probe) }
    let connected = try withAddress(path) { connect(probe, $0, $1) }
    // EAGAIN: someone listens, whose queue is full.
    guard connected != 0, errno != EAGAIN else {
      throw SocketFault("another process listens at '\(path)'")
    }
    guard errno == ECONNREFUSED else {
      throw SocketFault("cannot tell whether someone listens at '\(path)'", code: errno)
    }
    unlink(path)
  }

  /// Who is at the other end, socket(7).
  static func peer(of descriptor: Int32) -> Peer? {
    // struct ucred: pid, uid, gid
    var credentials: [UInt32] = [0, 0, 0]
    var size = socklen_t(12)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0, size == 12
    else { return nil }
    return Peer(
      process: Int32(bitPattern: credentials[0]), user: credentials[1], group: credentials[2],
      groups: groups(of: descriptor))
  }

  private static func groups(of descriptor: Int32) -> [UInt32] {
    var groups = [UInt32](repeating: 0, count: 64)
    for _ in 0..<2 {
      var size = socklen_t(groups.count * 4)
      if getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &groups, &size) == 0 {
        return Array(groups.prefix(Int(size) / 4))
      }
      guard errno == ERANGE else { return [] }
      groups = [UInt32](repeating: 0, count: Int(size) / 4)
    }
    return []
  }
}
