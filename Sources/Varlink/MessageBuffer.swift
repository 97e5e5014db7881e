import SettledValues

/// Bytes as they come in, cut into messages at each NUL.
struct MessageBuffer {
  /// The size of a message in bytes, at most.
  let limit: Int
  private var bytes: [UInt8] = []
  /// Where the first message that was not taken begins.
  private var start = 0
  /// Up to where no NUL was found.
  private var searched = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// Adds bytes that were received.
  mutating func append(_ chunk: UnsafeRawBufferPointer) {
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= limit)
      (start, searched) = (0, 0)
    }
    bytes.append(contentsOf: chunk)
  }

  /// Takes the next message, or gives nil where it is not complete.
  mutating func next() throws(ProtocolFault) -> Value? {
    guard let end = bytes[searched...].firstIndex(of: 0) else {
      searched = bytes.count
      dropTaken()
      guard bytes.count <= limit else { throw ProtocolFault("a message above \(limit) bytes") }
      return nil
    }
    defer { (start, searched) = (end + 1, end + 1) }
    do {
      return try JSON.read(
        bytes.span.extracting(start..<end), limits: JSON.Limits(size: limit, depth: 64))
    } catch {
      throw ProtocolFault("a message that is not JSON: \(error)")
    }
  }

  /// Whether a whole message is there to be taken.
  var hasMessage: Bool { bytes[searched...].contains(0) }

  /// Moves what is left to the front, so that the buffer holds no more than one message.
  private mutating func dropTaken() {
    guard start > 0 else { return }
    bytes.removeSubrange(..<start)
    searched -= start
    start = 0
  }
}
