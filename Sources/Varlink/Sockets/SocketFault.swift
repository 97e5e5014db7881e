import Glibc

/// A call on a socket that failed.
public struct SocketFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// What could not be done, and why.
  public var description: String
  /// The error number of the system, or 0.
  public var code: Int32

  /// Creates a fault that does not come from the system.
  init(_ description: String) {
    self.description = description
    code = 0
  }

  /// Creates a fault for what just failed: what could not be done, and the error number.
  init(_ what: String, code: Int32) {
    self.code = code
    description = "\(what): \(String(cString: strerror(code)))"
  }
}
