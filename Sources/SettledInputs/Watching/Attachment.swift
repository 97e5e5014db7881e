/// A watcher's place in a loop: what wakes it.
final class Attachment {
  private let loop: EventLoop
  private let wake: () -> Void
  private var registrations: [EventLoop.Registration] = []

  init(_ loop: EventLoop, wake: @escaping () -> Void) {
    self.loop = loop
    self.wake = wake
  }

  /// Is woken by these, and by nothing else any more.
  func register(_ notifier: (any Notifier)?, _ mounts: MountTable?) throws(SystemError) {
    leave()
    let wake = wake
    if let notifier {
      registrations.append(try loop.add(notifier.descriptor) { _ in wake() })
    }
    if let mounts {
      let registration = try loop.add(mounts.descriptor, for: .exceptional) { _ in
        mounts.note()
        wake()
      }
      registrations.append(registration)
    }
  }

  /// Leaves the loop.
  func leave() {
    for registration in registrations { loop.remove(registration) }
    registrations = []
  }
}
