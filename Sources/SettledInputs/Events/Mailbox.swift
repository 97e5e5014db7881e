import CLinux
import Glibc
import Synchronization

/// Messages from any thread to the loop's.
public final class Mailbox<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])
  /// An eventfd(2) that is readable while there are messages.
  let descriptor: CInt

  /// Creates an empty mailbox.
  public init() throws(SystemError) {
    descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0 else { throw SystemError("create", "eventfd") }
  }

  deinit { close(descriptor) }

  /// Puts a message in; the loop wakes up for the first one only.
  public func post(_ message: Message) {
    let isFirst = messages.withLock { messages in
      messages.append(message)
      return messages.count == 1
    }
    if isFirst { eventfd_write(descriptor, 1) }
  }

  /// Takes all messages out, in the order they were put in.
  public func takeAll() -> [Message] {
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
    return messages.withLock { messages in
      defer { messages.removeAll() }
      return messages
    }
  }
}

extension EventLoop {
  /// Calls `handler` with every message that is put into `mailbox`, on the loop's thread.
  ///
  /// The loop keeps the mailbox until the registration is removed.
  public func deliver<Message>(
    _ mailbox: Mailbox<Message>, to handler: @escaping (Message) -> Void
  ) throws(SystemError) -> Registration {
    try add(mailbox.descriptor) { _ in
      for message in mailbox.takeAll() { handler(message) }
    }
  }
}
