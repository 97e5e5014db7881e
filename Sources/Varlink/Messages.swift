public import SettledValues

/// Bytes that are not what the protocol has; the connection cannot go on.
public struct ProtocolFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, without any of the bytes.
  public var description: String

  init(_ description: String) {
    self.description = description
  }
}

/// A call as it stands on the wire.
struct CallMessage {
  var method: String
  var parameters = ValueMap()
  var wantsMore = false
  var isOneway = false

  init(_ method: String, _ parameters: ValueMap, more: Bool = false, oneway: Bool = false) {
    self.method = method
    self.parameters = parameters
    self.wantsMore = more
    self.isOneway = oneway
  }

  /// Reads a call; like systemd's service it takes no key that it does not know.
  init(reading message: Value) throws(ProtocolFault) {
    guard case .map(let map) = message else { throw ProtocolFault("a call that is no object") }
    guard case .string(let method)? = map["method"] else {
      throw ProtocolFault("a call without a method")
    }
    self.init(method, ValueMap())
    var upgrade = false
    for (key, value) in zip(map.keys, map.values) {
      switch (key, value) {
      case ("method", _), ("parameters", .null): break
      case ("parameters", .map(let parameters)): self.parameters = parameters
      case ("more", .bool(let flag)): wantsMore = flag
      case ("oneway", .bool(let flag)): isOneway = flag
      case ("upgrade", .bool(let flag)): upgrade = flag
      default: throw ProtocolFault("a call with an unknown key or a value of a wrong type")
      }
    }
    guard !upgrade else { throw ProtocolFault("upgrades are not supported") }
    guard !(wantsMore && isOneway) else { throw ProtocolFault("'more' and 'oneway' in one call") }
  }

  /// Appends the call and its end to `output`, which is left as it was when that fails.
  func write(into output: inout [UInt8]) throws(FormatError) {
    var message: ValueMap = ["method": .string(method)]
    if !parameters.isEmpty { message["parameters"] = .map(parameters) }
    if wantsMore { message["more"] = true }
    if isOneway { message["oneway"] = true }
    let start = output.count
    do throws(FormatError) {
      try JSON.write(.map(message), into: &output)
    } catch {
      output.removeSubrange(start...)
      throw error
    }
    output.append(0)
  }
}

/// A reply as it stands on the wire.
struct ReplyMessage {
  var parameters = ValueMap()
  var continues = false
  var error: String?

  init(_ parameters: ValueMap, continues: Bool = false, error: String? = nil) {
    self.parameters = parameters
    self.continues = continues
    self.error = error
  }

  /// Reads a reply.
  init(reading message: Value) throws(ProtocolFault) {
    guard case .map(let map) = message else { throw ProtocolFault("a reply that is no object") }
    for (key, value) in zip(map.keys, map.values) {
      switch (key, value) {
      case ("parameters", .null): break
      case ("parameters", .map(let parameters)): self.parameters = parameters
      case ("continues", .bool(let flag)): continues = flag
      case ("error", .string(let name)): error = name
      default: throw ProtocolFault("a reply with an unknown key or a value of a wrong type")
      }
    }
  }

  /// Appends the reply and its end to `output`, which is left as it was when that fails.
  ///
  /// Parameters are always there and other keys only where they are needed: systemd's client takes
  /// nothing else.
  func write(into output: inout [UInt8]) throws(FormatError) {
    let start = output.count
    output.append(contentsOf: "{".utf8)
    do {
      if let error {
        output.append(contentsOf: "\"error\":".utf8)
        try JSON.write(.string(error), into: &output)
        output.append(UInt8(ascii: ","))
      }
      output.append(contentsOf: "\"parameters\":".utf8)
      try JSON.write(.map(parameters), into: &output)
    } catch {
      output.removeSubrange(start...)
      throw error
    }
    output.append(contentsOf: (continues ? ",\"continues\":true}" : "}").utf8)
    output.append(0)
  }
}

/// A reply that others follow, written once for many clients.
public struct EncodedReply: Sendable {
  /// What it says.
  let parameters: ValueMap
  /// The message with its end; nil where the parameters have no JSON.
  let bytes: [UInt8]?

  /// Writes a reply.
  public init(_ parameters: ValueMap) {
    self.parameters = parameters
    var output: [UInt8] = []
    let isWritten: ()? = try? ReplyMessage(parameters, continues: true).write(into: &output)
    bytes = isWritten == nil ? nil : output
  }
}
