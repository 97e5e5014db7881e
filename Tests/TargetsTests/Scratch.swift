import Glibc
import Targets
import Testing

/// A directory for one test, removed with all it holds when the test ends.
final class Scratch {
  let path: String

  init() throws {
    var template = Array("/tmp/settled-test-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap(mkdtemp) }
    try #require(made != nil)
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    try #require(mkdir(state, 0o700) == 0)
    try #require(mkdir(path + "/etc", 0o755) == 0)
  }

  deinit {
    for directory in [path + "/etc", state, path] {
      for name in Self.names(in: directory) { unlink(directory + "/" + name) }
      rmdir(directory)
    }
  }

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
  var names: [String] { Self.names(in: path + "/etc").sorted() }

  var stateNames: [String] { Self.names(in: state).sorted() }

  private static func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
