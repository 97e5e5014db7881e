import Glibc
import Targets
import TestSupport
import Testing

/// A directory for one test, removed with all it holds when the test ends.
final class Scratch {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try #require(mkdir(state, 0o700) == 0)
    try #require(mkdir(path + "/etc", 0o755) == 0)
  }

  var path: String { directory.path }

  var state: String { path + "/state" }

  func file(_ name: String) -> String { path + "/etc/" + name }

  @discardableResult
  func write(_ text: String, to name: String, mode: mode_t = 0o644) throws -> UInt64 {
    unlink(file(name))
    let descriptor = open(file(name), O_WRONLY | O_CREAT, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    try #require(Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count)
    try #require(fchmod(descriptor, mode) == 0)
    return try status(name).inode
  }

  func text(_ name: String) throws -> String {
    let bytes = try #require(try AtomicFile.read(file(name), limit: 1 << 20))
    return String(decoding: bytes, as: UTF8.self)
  }

  func status(_ name: String) throws -> (inode: UInt64, mode: mode_t, user: uid_t, group: gid_t) {
    var status = stat()
    try #require(lstat(file(name), &status) == 0)
    return (UInt64(status.st_ino), status.st_mode & 0o7777, status.st_uid, status.st_gid)
  }

  /// The names in the directory of destinations: nothing but the files may be left there.
  var names: [String] { TestSupport.names(in: path + "/etc") }

  var stateNames: [String] { TestSupport.names(in: state) }
}
