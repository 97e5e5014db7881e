internal import Glibc
internal import Synchronization

/// A stream of lines that somebody reads, or should.
///
/// Who does not read must not hold the program up: what is not taken within a second is dropped,
/// further messages at once, and how many they were is told before the next one that is taken.
final class LineStream: Sendable {
  /// The milliseconds that a reader may take.
  private static let patience: Int32 = 1000
  /// The bytes of one write: a pipe or socket that is ready takes so many without waiting (pipe(7)).
  private static let piece = 4096

  private let descriptor: Int32
  private let identifier: String
  private let lost = Mutex(0)

  init(_ descriptor: Int32, identifier: String) {
    self.descriptor = descriptor
    self.identifier = identifier
  }

  /// Writes a message, or drops it.
  func write(_ text: String) {
    lost.withLock { lost in
      if lost > 0, isReady(within: 0),
        put("\(identifier): \(lost) messages were lost, as nobody read them\n", within: 0)
      {
        lost = 0
      }
      if lost > 0 || !put(text, within: Self.patience) { lost += 1 }
    }
  }

  /// Writes; false where it is not taken in time.
  private func put(_ text: String, within limit: Int32) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      guard isReady(within: limit) else { return false }
      let piece = rest.prefix(Self.piece)
      let count = piece.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      // Nobody is left who could be told.
      guard count > 0 else { return true }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private func isReady(within limit: Int32) -> Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    var found: Int32
    repeat { found = poll(&state, 1, limit) } while found < 0 && errno == EINTR
    return found != 0
  }
}
