public import SettledValues

/// A call that waits for its answer.
///
/// A handler answers it at once, or keeps it and answers later, from the thread that runs the
/// server. A call that is dropped without an answer is answered with an error.
public final class Call {
  /// The full name of the method.
  public let method: String
  /// What it was called with; checked against the method's description.
  public let parameters: ValueMap
  /// Whether the client takes several replies.
  public let wantsMore: Bool
  /// Whether the client wants no reply; what is replied is dropped.
  public let isOneway: Bool
  /// Who called.
  public let peer: Peer
  private var conversation: Conversation?
  private var closing: (() -> Void)?

  init(_ message: CallMessage, from conversation: Conversation) {
    method = message.method
    parameters = message.parameters
    wantsMore = message.wantsMore
    isOneway = message.isOneway
    peer = conversation.peer
    self.conversation = conversation
  }

  deinit {
    conversation?.finish(error: .methodNotImplemented(method), oneway: isOneway)
  }

  /// Whether a reply would still reach someone.
  public var isOpen: Bool { conversation.map { !$0.isBroken } ?? false }

  /// Answers; the last reply.
  public func reply(_ parameters: ValueMap = ValueMap()) {
    take()?.finish(parameters, oneway: isOneway)
  }

  /// Answers with an error; the last reply.
  public func fail(_ error: CallError) {
    take()?.finish(error: error, oneway: isOneway)
  }

  /// Sends a reply that others follow.
  ///
  /// Where the client did not ask for more it is the last reply.
  public func replyAndContinue(_ parameters: ValueMap) {
    replyAndContinue(EncodedReply(parameters))
  }

  /// Sends a reply that others follow, and that goes to others too.
  ///
  /// Where the client did not ask for more it is the last reply.
  public func replyAndContinue(_ reply: EncodedReply) {
    if wantsMore {
      conversation?.send(reply)
    } else {
      self.reply(reply.parameters)
    }
  }

  /// Asks to be told when the client is gone before the last reply was sent.
  public func whenClosed(_ action: @escaping () -> Void) {
    closing = action
  }

  func close() {
    let action = closing
    _ = take()
    action?()
  }

  private func take() -> Conversation? {
    defer { (conversation, closing) = (nil, nil) }
    return conversation
  }
}
