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

  /// What a person can do about it, where that is known.
  public var hint: String? { Self.hints[code] }

  private static let hints: [CInt: String] = [
    EACCES: "run as a user that may, or change the permissions of the file and its directories",
    EBUSY: "the file is a mount point; set 'write: in_place' to write into it",
    EDQUOT: "the disk quota is used up; free some space or raise the quota",
    EISDIR: "a directory stands there; move it away or name a file",
    ENOENT: "create it, correct the path, or set 'make_directories: true'",
    ENOSPC: "the file system is full; free some space",
    EROFS: "the file system is read-only; under systemd, see ProtectSystem= of the unit",
    EXDEV: "the file and its directory are on different file systems; set 'write: in_place'",
  ]
}
