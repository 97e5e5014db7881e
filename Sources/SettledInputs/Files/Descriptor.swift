public import Glibc

/// An open file descriptor that is closed when it goes out of scope.
public struct Descriptor: ~Copyable {
  /// The descriptor's number.
  public let number: CInt
  /// The path it was opened by, for messages.
  public let path: String

  /// Opens `path` (open(2)), always with `O_CLOEXEC`.
  ///
  /// - Throws: the failure, with `verb` as what was tried.
  public init(
    _ path: String, _ flags: CInt, mode: mode_t = 0, verb: String = "open"
  ) throws(SystemError) {
    var number: CInt
    repeat { number = open(path, flags | O_CLOEXEC, mode) } while number < 0 && errno == EINTR
    guard number >= 0 else { throw SystemError(verb, path) }
    self.number = number
    self.path = path
  }

  deinit { close(number) }

  /// What the file system says of the open file (fstat(2)).
  public func status() throws(SystemError) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw SystemError("examine", path) }
    return status
  }

  /// Reads from the current position to the end.
  ///
  /// - Throws: the failure, or `EFBIG` as soon as there are more than `limit` bytes.
  public func readAll(limit: Int, expected: Int = 0) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var room = min(max(expected, 0), limit) + 1
    while true {
      let (chunk, isEnd) = try readChunk(room)
      bytes = bytes.isEmpty ? chunk : bytes + chunk
      guard bytes.count <= limit else { throw SystemError("read", path, code: EFBIG) }
      if isEnd { return bytes }
      room = 65_536
    }
  }

  /// Writes all of `bytes` at the current position.
  public func writeAll(_ bytes: [UInt8]) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        write(number, buffer.baseAddress?.advanced(by: written), buffer.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("write", path) }
      written += count
    }
  }

  /// Waits until the file's bytes and attributes are on the disk (fsync(2)).
  public func synchronize() throws(SystemError) {
    guard fsync(number) == 0 else { throw SystemError("write", path) }
  }

  private func readChunk(_ room: Int) throws(SystemError) -> (bytes: [UInt8], isEnd: Bool) {
    var failure: CInt = 0
    var isEnd = false
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
      while filled < room {
        let count = read(number, buffer.baseAddress?.advanced(by: filled), room - filled)
        if count < 0, errno == EINTR { continue }
        if count < 0 { failure = errno }
        isEnd = count <= 0
        if isEnd { return }
        filled += count
      }
    }
    guard failure == 0 else { throw SystemError("read", path, code: failure) }
    return (bytes, isEnd)
  }
}
