public import SettledValues

/// An error reply: a name of an interface and parameters.
public struct CallError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The full name, such as `org.varlink.service.MethodNotFound`.
  public var name: String
  /// What belongs to it.
  public var parameters: ValueMap

  /// Creates an error.
  public init(_ name: String, _ parameters: ValueMap = ValueMap()) {
    self.name = name
    self.parameters = parameters
  }

  /// The name, and the text of the parameters that have one.
  public var description: String {
    let texts = zip(parameters.keys, parameters.values).compactMap { key, value in
      value.text.map { "\(key.text ?? "")=\($0)" }
    }
    return texts.isEmpty ? name : "\(name) (\(texts.joined(separator: ", ")))"
  }

  /// The service has no interface `name`.
  public static func interfaceNotFound(_ name: String) -> CallError {
    service("InterfaceNotFound", ["interface": .string(name)])
  }

  /// The service has no method `name`.
  public static func methodNotFound(_ name: String) -> CallError {
    service("MethodNotFound", ["method": .string(name)])
  }

  /// The method is described, but cannot be called.
  public static func methodNotImplemented(_ name: String) -> CallError {
    service("MethodNotImplemented", ["method": .string(name)])
  }

  /// The parameter is missing, unknown or of a wrong type.
  public static func invalidParameter(_ name: String) -> CallError {
    service("InvalidParameter", ["parameter": .string(name)])
  }

  /// The peer may not call the method.
  public static let permissionDenied = service("PermissionDenied", [:])

  /// The method answers several times and must be called with `more`.
  public static let expectedMore = service("ExpectedMore", [:])

  private static func service(_ name: String, _ parameters: ValueMap) -> CallError {
    CallError("org.varlink.service." + name, parameters)
  }
}
