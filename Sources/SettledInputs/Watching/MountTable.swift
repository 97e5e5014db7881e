import Glibc

/// Tells when something was mounted or unmounted, which inotify(7) does not (proc(5), `mountinfo`).
final class MountTable {
  /// What has something exceptional when the mounts changed, once a change.
  let descriptor: CInt
  private var isTold = false

  /// Opens the table of this process; nil where there is no `/proc`.
  init?() {
    descriptor = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Takes note that someone else has asked the descriptor, who was told of a change.
  func note() {
    isTold = true
  }

  /// Tells whether the mounts changed since it was last asked.
  func takeChange() -> Bool {
    defer { isTold = false }
    var state = pollfd(fd: descriptor, events: Int16(POLLPRI), revents: 0)
    return poll(&state, 1, 0) > 0 || isTold
  }
}
