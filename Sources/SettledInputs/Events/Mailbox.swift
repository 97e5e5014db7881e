import CLinux
import Glibc
import Synchronization

/// Messages from any thread to the loop's.
public final class Mailbox<Message: Sendable>: Sendable {
  private struct Content {
    var messages: [Message] = []
    var isClosed = false
  }

  private let content = Mutex(Content())
  /// An eventfd(2) that is readable while there are messages.
  let descriptor: CInt

  /// Creates an empty mailbox.
  public init() throws(SystemError) {
    descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0 else { throw SystemError("create", "eventfd") }
  }

  deinit { Glibc.close(descriptor) }

  /// Puts a message in; the loop wakes up for the first one only.
  ///
  /// - Returns: whether it is in; what is closed takes none.
  @discardableResult
  public func post(_ message: Message) -> Bool {
    let count = content.withLock { content in
      if !content.isClosed { content.messages.append(message) }
      return content.isClosed ? 0 : content.messages.count
    }
    if count == 1 { eventfd_write(descriptor, 1) }
    return count > 0
  }

  /// Takes all messages out, in the order they were put in.
  public func takeAll() -> [Message] {
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
    return content.withLock { content in
      defer { content.messages.removeAll() }
      return content.messages
    }
  }

  /// Takes no more messages from now on.
  ///
  /// - Returns: those that nobody took.
  public func close() -> [Message] {
    content.withLock { content in
      defer { content = Content(isClosed: true) }
      return content.messages
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
