import SettledValues

/// What is said over one connection: bytes in, calls, replies, bytes out; without a socket.
///
/// Calls are processed one at a time and answered in their order.
public final class Conversation {
  /// What a client may use of the server's memory.
  public struct Limits: Sendable {
    /// The size of a call in bytes.
    public var message: Int
    /// The bytes of replies that wait for the client, from which no further call is processed.
    public var output: Int
    /// The bytes of replies that wait for the client, above which a stream of replies is ended and
    /// the connection closed.
    public var backlog: Int

    /// Creates limits.
    public init(message: Int = 64 << 10, output: Int = 64 << 10, backlog: Int = 1 << 20) {
      self.message = message
      self.output = output
      self.backlog = backlog
    }
  }

  /// Who is at the other end.
  public let peer: Peer
  /// The replies that were not sent yet.
  public private(set) var output: [UInt8] = []
  /// Whether nothing more can be said: the client broke a rule or does not read.
  public private(set) var isBroken = false
  private let limits: Limits
  private var input: MessageBuffer
  private var inputEnded = false
  private var isAdvancing = false
  private var isBusy = false
  private weak var call: Call?
  /// What to do when something is to be sent, or to be processed, that was not foreseeable.
  var wake: () -> Void = {}

  /// Creates a conversation with `peer`.
  public init(with peer: Peer, limits: Limits = Limits()) {
    self.peer = peer
    self.limits = limits
    input = MessageBuffer(limit: limits.message)
  }

  /// Whether a call is being processed whose last reply was not given.
  public var hasCall: Bool { isBusy }

  /// Whether further bytes would be processed now.
  public var wantsInput: Bool {
    !inputEnded && !isBusy && !isBroken && output.count < limits.output && !input.hasMessage
  }

  /// Whether all is said: the client sends no more and has all its replies.
  public var isOver: Bool { isBroken || (inputEnded && !isBusy && output.isEmpty && !canAdvance) }

  /// Takes bytes that the client sent.
  public func receive(_ bytes: UnsafeRawBufferPointer) {
    input.append(bytes)
  }

  /// Takes note that the client sends no more.
  public func endInput() {
    inputEnded = true
  }

  /// Removes the first `count` bytes of the output, which were sent.
  public func didSend(_ count: Int) {
    if count == output.count {
      output.removeAll(keepingCapacity: output.capacity <= limits.output)
    } else {
      output.removeSubrange(..<count)
    }
  }

  /// Has `service` process calls, at most so many, until one is not answered at once or there is no
  /// whole one.
  public func advance(with service: Service, atMost calls: Int = .max) {
    isAdvancing = true
    defer { isAdvancing = false }
    var left = calls
    do {
      while left > 0, !isBusy, !isBroken, output.count < limits.output,
        let message = try input.next()
      {
        left -= 1
        let call = Call(try CallMessage(reading: message), from: self)
        isBusy = true
        self.call = call
        service.process(call)
      }
    } catch {
      isBroken = true
    }
  }

  /// Ends the conversation; a call that waits is told.
  public func close() {
    isBroken = true
    wake = {}
    call?.close()
  }

  /// Whether `advance` would process a call.
  var canAdvance: Bool { !isBusy && !isBroken && output.count < limits.output && input.hasMessage }

  func send(_ reply: EncodedReply) {
    guard !isBroken else { return }
    if let bytes = reply.bytes {
      output += bytes
    } else {
      // As an error that names what has no JSON.
      _ = write(ReplyMessage(reply.parameters, continues: true))
      isBusy = false
      call?.close()
    }
    if output.count > limits.backlog {
      output = []
      isBroken = true
    }
    if !isAdvancing { wake() }
  }

  func finish(_ parameters: ValueMap, oneway: Bool) {
    finish(ReplyMessage(parameters), oneway: oneway)
  }

  func finish(error: CallError, oneway: Bool) {
    finish(ReplyMessage(error.parameters, error: error.name), oneway: oneway)
  }

  private func finish(_ reply: ReplyMessage, oneway: Bool) {
    isBusy = false
    guard !isBroken else { return }
    if !oneway { _ = write(reply) }
    if !isAdvancing { wake() }
  }

  /// Writes a reply; one that has no JSON becomes an error that names the part.
  ///
  /// - Returns: whether it was the reply itself.
  private func write(_ reply: ReplyMessage) -> Bool {
    do {
      try reply.write(into: &output)
      return true
    } catch {
      let fault = CallError.invalidParameter(error.path.description)
      try? ReplyMessage(fault.parameters, error: fault.name).write(into: &output)
      return false
    }
  }
}
