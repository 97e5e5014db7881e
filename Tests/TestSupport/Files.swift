import Glibc

/// A directory that is removed, with all that is in it, when the last reference to it goes.
public final class TemporaryDirectory: Sendable {
  /// Its path.
  public let path: String

  /// Creates an empty directory in `parent`, or else under `TMPDIR` or `/tmp`.
  public init(in parent: String? = nil) throws {
    let parent = parent ?? environment("TMPDIR") ?? "/tmp"
    var template = Array((parent + "/settled-XXXXXX").utf8CString)
    guard let name = mkdtemp(&template) else { throw SystemFault("mkdtemp") }
    path = String(cString: name)
  }

  deinit { removeTree(path) }

  /// The path of a name in it.
  public func path(_ name: String) -> String { path + "/" + name }

  /// Writes a file in it, in place, and gives its path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try writeFile(Array(text.utf8), to: path(name))
    return path(name)
  }

  /// The text of a file in it, or nil where it cannot be read.
  public func read(_ name: String) -> String? {
    readFile(path(name)).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// A system call that failed.
public struct SystemFault: Error, CustomStringConvertible {
  /// The call and the reason.
  public let description: String

  /// Creates a fault from `errno`.
  public init(_ call: String) {
    description = "\(call): \(String(cString: strerror(errno)))"
  }
}

/// The bytes of a file, or nil where it cannot be read.
public func readFile(_ path: String) -> [UInt8]? {
  guard let file = fopen(path, "re") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
    bytes += chunk[..<count]
  }
  return ferror(file) == 0 ? bytes : nil
}

/// Writes a file in place.
public func writeFile(_ bytes: [UInt8], to path: String) throws {
  guard let file = fopen(path, "we") else { throw SystemFault("open \(path)") }
  let written = fwrite(bytes, 1, bytes.count, file)
  guard fclose(file) == 0, written == bytes.count else { throw SystemFault("write \(path)") }
}

/// Removes a file, or a directory with all that is in it.
public func removeTree(_ path: String) {
  for name in names(in: path) { removeTree(path + "/" + name) }
  _ = remove(path)
}

/// The names in a directory, sorted by bytes; none for what is no directory, or only a link to one.
public func names(in path: String) -> [String] {
  let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
  guard descriptor >= 0, let directory = fdopendir(descriptor) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
}
