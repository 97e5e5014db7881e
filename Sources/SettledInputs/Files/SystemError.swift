public import Glibc

/// A system call that failed on a file.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was tried, as a verb: `read`, `replace`.
  public var verb: String
  /// The file it was tried on.
  public var path: String
  /// The error number (errno(3)).
  public var code: CInt

  /// Creates an error; `code` is that of the last failed call where none is given.
  public init(_ verb: String, _ path: String, code: CInt = errno) {
    self.verb = verb
    self.path = path
    self.code = code
  }

  /// The failure in one sentence, such as `cannot read 'a.yaml': Permission denied`.
  public var description: String {
    "cannot \(verb) '\(path)': \(reason)"
  }

  /// The text of the error number.
  public var reason: String {
    var buffer = [CChar](repeating: 0, count: 128)
    guard strerror_r(code, &buffer, buffer.count) == 0, let end = buffer.firstIndex(of: 0) else {
      return "error \(code)"
    }
    return String(decoding: buffer[..<end].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
