import Glibc
import SettledInputs

/// Copies of files that settled did not write and that it replaced, in the state directory.
///
/// The oldest go where there are too many; only the daemon's own user can read them.
struct EditedFiles {
  /// How many copies are kept.
  static let countLimit = 100
  /// The size in bytes up to which a file is replaced that has to be kept.
  static let sizeLimit = 16 << 20

  private let stateDirectory: String
  private var directory: String { stateDirectory + "/edited" }

  init(stateDirectory: String) {
    self.stateDirectory = stateDirectory
  }

  /// Keeps a copy of the file at `path`, which stood at `destination`.
  ///
  /// - Throws: the failure; `EFBIG` for a file above the limit, which has to be moved away first.
  /// - Returns: the path of the copy; nil where there is no file.
  @discardableResult
  func keep(_ path: String, of destination: String) throws(SystemError) -> String? {
    guard let bytes = try read(path, of: destination) else { return nil }
    try makeDirectory()
    let copy = directory + "/" + name(for: destination)
    do {
      try AtomicFile.write(bytes, to: copy)
    } catch {
      throw SystemError("keep in '\(directory)' a copy of", destination, code: error.code)
    }
    for name in try names().dropLast(Self.countLimit) { unlink(directory + "/" + name) }
    return copy
  }

  /// Makes the directory where it is missing, but not the state directory: that is for the daemon's
  /// start, which makes it with its own mode and locks it.
  private func makeDirectory() throws(SystemError) {
    guard mkdir(directory, 0o700) != 0, errno != EEXIST else { return }
    guard errno == ENOENT else { throw SystemError("create", directory) }
    throw SystemError(SystemError.stateVerb, stateDirectory)
  }

  private func read(_ path: String, of destination: String) throws(SystemError) -> [UInt8]? {
    do {
      return try AtomicFile.read(path, limit: Self.sizeLimit)
    } catch {
      throw SystemError("keep a copy of", destination, code: error.code)
    }
  }

  /// A name that sorts by time and ends like the destination's: nanoseconds, then the last part.
  private func name(for destination: String) -> String {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let nanoseconds = String(Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
    let padded = String(repeating: "0", count: max(0, 20 - nanoseconds.count)) + nanoseconds
    // A name may have 255 bytes, and a file that is unfinished four more.
    return padded + "-"
      + String(decoding: FilePaths.name(of: destination).utf8.suffix(200), as: UTF8.self)
  }

  private func names() throws(SystemError) -> [String] {
    try Directories.names(in: directory).filter { $0.first?.isNumber == true }.sorted()
  }
}
