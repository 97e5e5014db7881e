import Glibc
public import SettledValues
import Varlink

/// The asking end of the control socket.
public struct ControlClient {
  /// Why a question has no answer.
  public enum Fault: Error, Sendable, Hashable {
    /// No daemon listens at the path, for this reason.
    case notRunning(path: String, reason: String)
    /// The caller may not reach the socket at the path, for this reason.
    case unreachable(path: String, reason: String)
    /// The daemon was lost before it answered, for this reason.
    case lost(String)
    /// The peer may not ask that.
    case notPermitted
    /// The daemon has no answer.
    case refused(ControlError)
    /// The answer is not one that this version understands.
    case unexpected(String)
  }

  private let client: Client

  /// Connects to the daemon whose socket is at `path`; `timeout` is how long an answer other than a
  /// verdict may take.
  public init(_ path: String, timeout: Duration = .seconds(45)) throws(Fault) {
    do {
      client = try Client(path, timeout: timeout)
    } catch .notRunning(let fault) where fault.code == EACCES {
      throw .unreachable(path: path, reason: fault.description)
    } catch .notRunning(let fault) {
      throw .notRunning(path: path, reason: fault.description)
    } catch {
      throw Fault(error)
    }
  }

  /// How everything is.
  public func status() throws(Fault) -> Status {
    try read(try call("GetStatus")) { wire throws(WireFault) in try Status(wire: wire) }
  }

  /// The setting or derived value at a path.
  public func value(at path: String) throws(Fault) -> Value {
    try call("Get", ["path": .string(path)])["value"] ?? .null
  }

  /// What an expression comes to, and the paths that it read.
  public func evaluate(_ expression: String) throws(Fault) -> (value: Value, reads: [String]) {
    let reply = try call("Evaluate", ["expression": .string(expression)])
    guard case .list(let reads)? = reply["reads"] else { return (reply["value"] ?? .null, []) }
    return (reply["value"] ?? .null, reads.compactMap(\.text))
  }

  /// All settings and derived values.
  public func values() throws(Fault) -> (settings: Value, derived: Value) {
    let reply = try call("Show")
    return (reply["settings"] ?? [:], reply["derived"] ?? [:])
  }

  /// Has all inputs read again and waits for the verdict, without end.
  public func reload() throws(Fault) -> Verdict {
    try read(try callWithoutEnd("Reload")) { wire throws(WireFault) in try Verdict(wire: wire) }
  }

  /// Has a target of the generation in force put into place again, or all of them, and waits for the
  /// verdict, without end.
  public func apply(_ target: String?) throws(Fault) -> Verdict {
    let parameters = target.map { ValueMap([(key: "target", value: .string($0))]) }
    return try read(try callWithoutEnd("Apply", parameters ?? ValueMap())) {
      wire throws(WireFault) in try Verdict(wire: wire)
    }
  }

  /// What a reload would do; waits for it without end.
  public func plan() throws(Fault) -> PlanAnswer {
    try read(try callWithoutEnd("Plan")) { wire throws(WireFault) in try PlanAnswer(wire: wire) }
  }

  /// The last passes that did something or were refused, the newest last.
  public func history(last count: Int) throws(Fault) -> [HistoryEntry] {
    try read(try call("GetHistory", ["last": .int(Int64(count))])) { wire throws(WireFault) in
      try Fields(wire).list("entries") { value throws(WireFault) in
        try HistoryEntry(wire: value)
      }
    }
  }

  private func callWithoutEnd(
    _ method: String, _ parameters: ValueMap = ValueMap()
  ) throws(Fault) -> ValueMap {
    let timeout = client.timeout
    defer { client.timeout = timeout }
    client.timeout = nil
    return try call(method, parameters)
  }

  /// The explanation of a setting, derived value, fact or target, as programs read it.
  public func explain(_ name: String, as kind: String?) throws(Fault) -> Value {
    var parameters: ValueMap = ["name": .string(name)]
    if let kind { parameters["kind"] = .string(kind) }
    return .map(try call("Explain", parameters))
  }

  /// What is read by what, as programs read it.
  public func graph() throws(Fault) -> Value { .map(try call("GetGraph")) }

  /// Counts and measures, as OpenMetrics text.
  public func metrics() throws(Fault) -> String { try call("GetMetrics")["text"]?.text ?? "" }

  /// Waits until nothing is under way any more, at most `limit`; nil where the time was up.
  public func wait(
    atMost limit: Duration?
  ) throws(Fault) -> (state: Status.State, generation: Int64, summary: String)? {
    client.timeout = limit
    do {
      let fields = Fields(try client.call("\(Interface.settledName).Wait"))
      return (
        try fields.word("state"), try fields.integer("generation"), try fields.text("summary")
      )
    } catch Client.Fault.timedOut {
      return nil
    } catch let fault as Client.Fault {
      throw Fault(fault)
    } catch {
      throw .unexpected("\(error)")
    }
  }

  /// Calls `handle` with what holds at these paths, and with each change of it, until that returns
  /// false, or nobody reads any more what is written to the descriptor `audience`; without paths with
  /// every change.
  public func watch(
    _ paths: [String], for audience: Int32? = nil, _ handle: (Value) -> Bool
  ) throws(Fault) {
    client.timeout = nil
    client.audience = audience
    var parameters = ValueMap()
    if !paths.isEmpty { parameters["paths"] = .list(paths.map { .string($0) }) }
    do {
      try client.callMore("\(Interface.settledName).Watch", parameters) { handle(.map($0)) }
    } catch .unheard {
      return
    } catch {
      throw Fault(error)
    }
  }

  private func call(
    _ method: String, _ parameters: ValueMap = ValueMap()
  ) throws(Fault) -> ValueMap {
    do {
      return try client.call("\(Interface.settledName).\(method)", parameters)
    } catch {
      throw Fault(error)
    }
  }

  private func read<Answer>(
    _ reply: ValueMap, _ read: (ValueMap) throws(WireFault) -> Answer
  ) throws(Fault) -> Answer {
    do {
      return try read(reply)
    } catch {
      throw .unexpected(error.description)
    }
  }
}

extension ControlClient.Fault {
  init(_ fault: Client.Fault) {
    switch fault {
    case .notRunning, .disconnected, .timedOut, .unheard: self = .lost(fault.description)
    case .invalid(let reason): self = .unexpected(reason)
    case .failed(.permissionDenied): self = .notPermitted
    case .failed(let error):
      self = ControlError(error).map { .refused($0) } ?? .unexpected(error.description)
    }
  }
}
