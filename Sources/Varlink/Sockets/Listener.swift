import CLinux
import Glibc

/// A socket that takes connections, and rests for a while when there are no descriptors left.
///
/// A listening socket stays readable while accept(2) fails with EMFILE; awaiting it on would be a
/// loop without a pause.
struct Listener: ~Copyable {
  /// A connection, none, or that there is no room for one.
  enum Outcome {
    case connection(Int32, Peer)
    case none
    case exhausted
  }

  /// The seconds for which no connection is taken after there was no room for one.
  static let rest = 1

  let descriptor: Int32
  let timer: Int32
  let path: String
  private let device: UInt
  private let inode: UInt

  init(at path: String) throws(SocketFault) {
    timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
    guard timer >= 0 else { throw SocketFault("cannot create a timer", code: errno) }
    do {
      descriptor = try LocalSocket.listen(at: path)
    } catch {
      close(timer)
      throw error
    }
    var status = stat()
    _ = lstat(path, &status)
    (device, inode) = (status.st_dev, status.st_ino)
    self.path = path
  }

  deinit {
    var status = stat()
    if lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode { unlink(path) }
    close(descriptor)
    close(timer)
  }

  /// Takes a connection that waits.
  func accept() -> Outcome {
    let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let connection = accept4(descriptor, nil, nil, flags)
    guard connection < 0 else {
      if let peer = LocalSocket.peer(of: connection) { return .connection(connection, peer) }
      close(connection)
      return .none
    }
    return [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(errno) ? .exhausted : .none
  }

  /// Has the timer become readable after the time of rest.
  func startRest() {
    var time = itimerspec()
    time.it_value.tv_sec = Self.rest
    timerfd_settime(timer, 0, &time, nil)
  }

  /// Stops the timer.
  func endRest() {
    var time = itimerspec()
    timerfd_settime(timer, 0, &time, nil)
  }
}
