internal import CSystemd
internal import Glibc

/// Writes messages to the systemd journal, or as plain lines where standard error leads elsewhere.
public struct Journal: Sendable {
  /// The least urgent priority that is written.
  public var level: JournalEntry.Priority
  private let write: @Sendable (JournalEntry) -> Void

  /// Creates a journal that hands every entry to `write`, such as a test's record.
  public init(
    level: JournalEntry.Priority = .debug, write: @escaping @Sendable (JournalEntry) -> Void
  ) {
    self.level = level
    self.write = write
  }

  /// Creates the journal of the program called `identifier`.
  ///
  /// Structured entries are sent only if standard error is the journal's own stream, as
  /// `JOURNAL_STREAM` says: somebody who looks at a terminal or a file finds everything there.
  public init(
    identifier: String, level: JournalEntry.Priority = .info,
    environment: ServiceEnvironment = ServiceEnvironment()
  ) {
    let stream = environment.journalStream
    let isOurs = stream != nil && stream == StreamIdentity(descriptor: STDERR_FILENO)
    let lines = LineStream(STDERR_FILENO, identifier: identifier)
    self.init(level: level) { entry in
      if !isOurs {
        lines.write("\(identifier): \(entry.message)\n")
      } else if !Self.send(entry.allFields(identifier: identifier)) {
        lines.write(Self.prefixed(entry))
      }
    }
  }

  /// Writes `entry`, if it is urgent enough.
  public func log(_ entry: JournalEntry) {
    if entry.priority <= level { write(entry) }
  }

  /// Sends fields by the journal's native protocol; false if it does not answer.
  private static func send(_ fields: [JournalEntry.Field]) -> Bool {
    var bytes: [UInt8] = []
    var lengths: [Int] = []
    for field in fields {
      let start = bytes.count
      bytes += field.name.utf8
      bytes.append(UInt8(ascii: "="))
      bytes += field.value.utf8
      lengths.append(bytes.count - start)
    }
    return bytes.withUnsafeMutableBytes { buffer in
      var parts: [iovec] = []
      var start = 0
      for length in lengths {
        parts.append(iovec(iov_base: buffer.baseAddress?.advanced(by: start), iov_len: length))
        start += length
      }
      return sd_journal_sendv(parts, Int32(parts.count)) >= 0
    }
  }

  /// The message with the priority before every line, as sd-daemon(3) has it for streams.
  private static func prefixed(_ entry: JournalEntry) -> String {
    entry.message.unicodeScalars.split(separator: "\n")
      .map { "<\(entry.priority.rawValue)>\(String($0))\n" }.joined()
  }
}
