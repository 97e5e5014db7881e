import Glibc

/// A server of a service on a local socket, driven by an event loop.
///
/// The loop awaits that `descriptor` is readable and then calls `process()`, which never blocks.
/// The server, its service and all calls belong to the thread of that loop.
public final class Server {
  /// What all clients together may use.
  public struct Limits: Sendable {
    /// The number of connections.
    public var connections: Int
    /// The number of connections of one user; root is only bound by `connections`.
    public var connectionsPerUser: Int
    /// What one connection may use.
    public var conversation: Conversation.Limits

    /// Creates limits.
    public init(
      connections: Int = 4096, connectionsPerUser: Int = 1024,
      conversation: Conversation.Limits = Conversation.Limits()
    ) {
      self.connections = connections
      self.connectionsPerUser = connectionsPerUser
      self.conversation = conversation
    }
  }

  private static let listenerToken: UInt64 = 0
  private static let timerToken: UInt64 = 1

  private let service: Service
  private let limits: Limits
  private var poller: Poller
  private let listener: Listener
  private var connections: [UInt64: Connection] = [:]
  private var connectionsByUser: [UInt32: Int] = [:]
  private var lastToken = Server.timerToken

  /// Creates a server that listens at `path`, where everyone may connect.
  ///
  /// - Throws: `SocketFault`, also when another process listens there.
  public init(of service: Service, at path: String, limits: Limits = Limits()) throws(SocketFault) {
    self.service = service
    self.limits = limits
    poller = try Poller()
    listener = try Listener(at: path)
    try poller.add(listener.descriptor, as: Self.listenerToken, input: true)
    try poller.add(listener.timer, as: Self.timerToken, input: true)
  }

  deinit {
    for connection in connections.values { connection.close() }
  }

  /// What the event loop awaits to be readable.
  public var descriptor: Int32 { poller.descriptor }

  /// The number of clients that are connected.
  public var connectionCount: Int { connections.count }

  /// Does what can be done without waiting: takes connections, reads, has calls answered, writes.
  public func process() {
    for event in poller.poll() {
      switch event.token {
      case Self.listenerToken: accept()
      case Self.timerToken: endRest()
      default: turn(event)
      }
    }
  }

  /// Writes what is still to be written, as far as clients take it at once.
  ///
  /// To be called before the process ends; what was replied since the last `process()` would be
  /// lost otherwise.
  public func flush() {
    for connection in connections.values { connection.flush() }
  }

  /// Takes the connections that wait, a bounded number at a time.
  private func accept() {
    for _ in 0..<64 {
      switch listener.accept() {
      case .none: return
      case .exhausted:
        poller.change(
          listener.descriptor, as: Self.listenerToken, input: false, output: false)
        return listener.startRest()
      case .connection(let descriptor, let peer): admit(descriptor, peer)
      }
    }
  }

  private func endRest() {
    listener.endRest()
    poller.change(listener.descriptor, as: Self.listenerToken, input: true, output: false)
  }

  private func admit(_ descriptor: Int32, _ peer: Peer) {
    let connection = Connection(descriptor, peer, limits: limits.conversation)
    let ofUser = connectionsByUser[peer.user, default: 0]
    guard connections.count < limits.connections,
      peer.user == 0 || ofUser < limits.connectionsPerUser
    else { return connection.close() }
    lastToken += 1
    let token = lastToken
    do {
      try poller.add(descriptor, as: token, input: true)
    } catch {
      return connection.close()
    }
    connections[token] = connection
    connectionsByUser[peer.user] = ofUser + 1
    connection.conversation.wake = { [unowned self, unowned connection] in
      wake(connection, token)
    }
  }

  private func turn(_ event: Poller.Event) {
    guard let connection = connections[event.token] else { return }
    if event.isReadable { connection.receive() }
    connection.advance(with: service)
    // A client that only ended its side still waits for the answer; one that is gone does not.
    if connection.isOver || (event.isGone && connection.conversation.hasCall) {
      return remove(connection, event.token)
    }
    rearm(connection, event.token)
  }

  /// Sends what was replied outside of a connection's turn, and has the loop come back to it where
  /// that is not all.
  private func wake(_ connection: Connection, _ token: UInt64) {
    if !connection.conversation.isBroken { connection.flush() }
    if connection.conversation.isBroken { return connection.shutDown() }
    // One call follows another, or the client has ended its side and is to be let go.
    connection.needsTurn = !connection.conversation.hasCall
    rearm(connection, token)
  }

  private func rearm(_ connection: Connection, _ token: UInt64) {
    let interest = connection.interest
    guard interest != connection.awaited else { return }
    connection.awaited = interest
    poller.change(
      connection.descriptor, as: token, input: interest.input, output: interest.output)
  }

  private func remove(_ connection: Connection, _ token: UInt64) {
    let user = connection.conversation.peer.user
    let left = connectionsByUser[user, default: 1] - 1
    connectionsByUser[user] = left > 0 ? left : nil
    connections[token] = nil
    connection.close()
  }
}
