import Glibc
public import SettledValues

/// A client that waits for what it asks.
public final class Client {
  /// Why there is no answer.
  public enum Fault: Error, Sendable, Hashable, CustomStringConvertible {
    /// Nobody listens.
    case notRunning(SocketFault)
    /// The time was up.
    case timedOut
    /// The connection ended before the answer.
    case disconnected
    /// Nobody reads what the answer is written to.
    case unheard
    /// What came is no reply, or a parameter cannot be sent.
    case invalid(String)
    /// The answer is an error.
    case failed(CallError)

    /// What happened.
    public var description: String {
      switch self {
      case .notRunning(let fault): fault.description
      case .timedOut: "no answer in time"
      case .disconnected: "the connection ended before the answer"
      case .unheard: "nobody reads the answer"
      case .invalid(let reason): "an invalid message: \(reason)"
      case .failed(let error): error.description
      }
    }
  }

  /// The size of a reply in bytes, at most.
  public static let messageLimit = 256 << 20

  /// How long sending, and waiting for a reply, may each take; nil is without end.
  public var timeout: Duration?
  /// Where answers are written to, if waiting for one is to end when nobody reads there any more.
  public var audience: Int32?
  private let descriptor: Int32
  private var input = MessageBuffer(limit: Client.messageLimit)
  /// Calls that were not sent yet.
  private var output: [UInt8] = []

  /// The bytes of calls from which they are sent without a reply being waited for.
  private static let outputLimit = 32 << 10

  /// Connects to the socket at `path`.
  public init(_ path: String, timeout: Duration? = .seconds(45)) throws(Fault) {
    self.timeout = timeout
    do {
      descriptor = try Self.connect(path, until: Deadline(timeout))
    } catch {
      throw .notRunning(error)
    }
  }

  deinit { close(descriptor) }

  /// Calls a method and gives what it replies.
  public func call(
    _ method: String, _ parameters: ValueMap = ValueMap()
  ) throws(Fault) -> ValueMap {
    try send(method, parameters)
    let (reply, continues) = try receive()
    guard !continues else { throw .invalid("'continues' where it was not asked for") }
    return reply
  }

  /// Calls a method with `more` and gives each reply to `handle` until that returns false or the
  /// last was given.
  ///
  /// After it returned false the connection is of no use any more.
  public func callMore(
    _ method: String, _ parameters: ValueMap = ValueMap(), _ handle: (ValueMap) -> Bool
  ) throws(Fault) {
    try send(method, parameters, more: true)
    var isOpen = true
    while isOpen {
      let (reply, continues) = try receive()
      isOpen = handle(reply) && continues
    }
  }

  /// Calls a method that is not answered.
  public func notify(_ method: String, _ parameters: ValueMap = ValueMap()) throws(Fault) {
    try write(CallMessage(method, parameters, oneway: true))
    try flush()
  }

  /// Sends a call whose answer is received later; answers come in the order of the calls.
  ///
  /// It goes out with others when an answer is waited for, there are many of them, or `flush` is
  /// called.
  public func send(
    _ method: String, _ parameters: ValueMap = ValueMap(), more: Bool = false
  ) throws(Fault) {
    try write(CallMessage(method, parameters, more: more))
  }

  /// Waits for the next reply, and tells whether others follow.
  public func receive() throws(Fault) -> (parameters: ValueMap, continues: Bool) {
    let reply = try readReply(until: Deadline(timeout))
    guard let error = reply.error else { return (reply.parameters, reply.continues) }
    throw .failed(CallError(error, reply.parameters))
  }

  private func readReply(until deadline: Deadline) throws(Fault) -> ReplyMessage {
    do {
      while true {
        if let message = try input.next() { return try ReplyMessage(reading: message) }
        try fill(until: deadline)
      }
    } catch let fault as ProtocolFault {
      throw .invalid(fault.description)
    } catch let fault as Fault {
      throw fault
    } catch {
      throw .invalid("\(error)")
    }
  }

  private func fill(until deadline: Deadline) throws(Fault) {
    try flush()
    try deadline.wait(for: descriptor, Int16(POLLIN), while: audience)
    let count = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { input.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      return count
    }
    guard count != 0, count > 0 || errno == EAGAIN || errno == EINTR else { throw .disconnected }
  }

  private func write(_ message: CallMessage) throws(Fault) {
    do {
      try message.write(into: &output)
    } catch {
      throw .invalid(error.description)
    }
    if output.count > Self.outputLimit { try flush() }
  }

  /// Sends the calls that were not sent yet.
  public func flush() throws(Fault) {
    let deadline = Deadline(timeout)
    var sent = 0
    defer { output.removeAll(keepingCapacity: true) }
    while sent < output.count {
      let count = output.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
      } else if errno == EAGAIN {
        try deadline.wait(for: descriptor, Int16(POLLOUT))
      } else if errno != EINTR {
        throw .disconnected
      }
    }
  }

  private static func connect(_ path: String, until deadline: Deadline) throws(SocketFault) -> Int32
  {
    let descriptor = try LocalSocket.create()
    while true {
      let result = try LocalSocket.withAddress(path) { Glibc.connect(descriptor, $0, $1) }
      if result == 0 { return descriptor }
      let code = errno
      // EAGAIN: the server's queue of connections is full; unlike others it cannot be awaited.
      guard code == EAGAIN || code == EINTR, !deadline.isOver else {
        close(descriptor)
        throw SocketFault("cannot connect to '\(path)'", code: code)
      }
      usleep(2000)
    }
  }
}
