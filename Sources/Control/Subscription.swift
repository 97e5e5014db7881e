public import SettledValues
import Varlink

/// A client that is told of changes until it goes away.
///
/// It is used on the thread that runs the `ControlServer`.
public final class Subscription {
  /// How many paths one client may name.
  public static let pathLimit = 1000

  /// The paths it wants to know of; none for everything.
  public let paths: [String]
  /// Whether it may see values.
  public let isTrusted: Bool
  private let call: Call

  /// Takes a call of `Watch`; nil where the peer may not see what it asks for.
  init?(_ call: Call, _ access: Access) {
    isTrusted = access.isTrusted(call.peer)
    guard case .list(let paths)? = call.parameters["paths"] else {
      self.paths = []
      self.call = call
      return
    }
    guard isTrusted, paths.count <= Self.pathLimit else { return nil }
    self.paths = paths.compactMap(\.text)
    self.call = call
  }

  /// Whether the client is still there, and reads.
  public var isOpen: Bool { call.isOpen }

  /// Tells the client of a change.
  public func tell(_ event: WatchEvent.Encoded) { call.replyAndContinue(event.reply) }

  /// Tells the client of a change.
  public func tell(_ event: WatchEvent) { tell(event.encoded) }

  /// Has `action` called when the client is gone.
  public func whenClosed(_ action: @escaping () -> Void) { call.whenClosed(action) }
}

/// What a watching client is told.
public struct WatchEvent: Sendable, Hashable {
  /// A value that is not what it was.
  public struct Change: Sendable, Hashable {
    /// Its path.
    public var path: String
    /// What it is now, with what stands for secrets; nil where it is gone.
    public var value: Value?

    /// Creates a change.
    public init(path: String, value: Value?) {
      self.path = path
      self.value = value
    }
  }

  /// How many changes are told at once; what is more is told by `isCut`.
  public static let changeLimit = 1000

  /// How the daemon is.
  public var state: Status.State
  /// The number of the generation in force.
  public var generation: Int64
  /// When that was so.
  public var at: Timestamp
  /// One line that a person can act on.
  public var summary: String
  /// What is not what it was.
  public var changes: [Change]
  /// Whether there were more changes.
  public var isCut: Bool

  /// Creates an event.
  public init(
    state: Status.State, generation: Int64, at: Timestamp, summary: String, changes: [Change] = [],
    isCut: Bool = false
  ) {
    self.state = state
    self.generation = generation
    self.at = at
    self.summary = summary
    self.changes = changes
    self.isCut = isCut
  }

  /// An event as it goes to many clients, written once.
  public struct Encoded: Sendable {
    let reply: EncodedReply
  }

  /// The event, to be told to many.
  public var encoded: Encoded { Encoded(reply: EncodedReply(wire)) }

  /// What anyone may know of it.
  public var publicPart: WatchEvent {
    WatchEvent(state: state, generation: generation, at: at, summary: "")
  }

  /// The event as a reply of `Watch`.
  public var wire: ValueMap {
    [
      "state": .string(state.rawValue), "generation": .int(generation),
      "at": .string(at.description), "summary": .string(summary),
      "changes": .list(
        changes.map { ["path": .string($0.path), "value": $0.value?.wire ?? .null] }),
      "cut": .bool(isCut),
    ]
  }

  /// Reads a reply of `Watch`.
  public init(wire: Value) throws(WireFault) {
    let fields = try Fields(wire, "parameters")
    self.init(
      state: try fields.word("state"), generation: try fields.integer("generation"),
      at: try fields.instant("at"), summary: try fields.text("summary"),
      changes: try fields.list("changes") { value throws(WireFault) in
        let change = try Fields(value, "changes")
        return Change(path: try change.text("path"), value: change.optional("value"))
      }, isCut: try fields.value("cut") == true)
  }
}
