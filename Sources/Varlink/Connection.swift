import Glibc

/// A conversation and the socket it is held over.
final class Connection {
  /// What is awaited on the socket.
  struct Interest: Equatable {
    var input: Bool
    var output: Bool
  }

  /// The bytes that are read in one turn.
  private static let chunk = 64 << 10
  /// The calls that are processed in one turn, so that no client keeps others waiting.
  private static let callsPerTurn = 128

  let descriptor: Int32
  let conversation: Conversation
  var awaited = Interest(input: true, output: false)
  /// Whether there is something to do that the socket's input does not tell.
  var needsTurn = false

  init(_ descriptor: Int32, _ peer: Peer, limits: Conversation.Limits) {
    self.descriptor = descriptor
    conversation = Conversation(with: peer, limits: limits)
  }

  /// What is to be awaited now.
  var interest: Interest {
    Interest(
      input: conversation.wantsInput, output: needsTurn || !conversation.output.isEmpty)
  }

  /// Whether the connection is to be closed.
  var isOver: Bool { conversation.isOver }

  /// Reads what is there, if it is wanted.
  func receive() {
    guard conversation.wantsInput else { return }
    withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 1) { buffer in
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 {
        conversation.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      } else if count == 0 {
        conversation.endInput()
      } else if errno != EAGAIN, errno != EINTR {
        conversation.close()
      }
    }
  }

  /// Has calls processed and sends their replies.
  func advance(with service: Service) {
    conversation.advance(with: service, atMost: Self.callsPerTurn)
    flush()
    needsTurn = conversation.canAdvance
  }

  /// Sends what the client takes at once.
  func flush() {
    while !conversation.output.isEmpty {
      let count = conversation.output.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        conversation.didSend(count)
      } else if errno != EINTR {
        if errno != EAGAIN { conversation.close() }
        return
      }
    }
  }

  /// Ends the connection so that the poller reports it as gone.
  func shutDown() {
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Closes the socket; a call that waits is told.
  func close() {
    conversation.close()
    Glibc.close(descriptor)
  }
}
