/// One structured message for the journal; see systemd.journal-fields(7).
public struct JournalEntry: Sendable, Hashable {
  /// How urgent a message is: the levels of syslog(3).
  public enum Priority: Int, Sendable, Hashable, Comparable {
    /// The system cannot be used.
    case emergency
    /// Somebody must act at once.
    case alert
    /// A grave failure.
    case critical
    /// Something failed.
    case error
    /// Something may fail.
    case warning
    /// Normal, and worth to be seen.
    case notice
    /// Normal.
    case info
    /// Of use to developers.
    case debug

    /// Orders by urgency: the more urgent is the smaller one.
    public static func < (left: Self, right: Self) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// A field beside the message.
  public struct Field: Sendable, Hashable {
    /// Its name: upper-case letters, digits and `_`, not first a digit or `_`, at most 64.
    public let name: String
    /// Its value; line breaks and NUL are kept.
    public let value: String

    /// Creates a field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }

    /// Whether the journal takes a field of this name from a program.
    public var isValid: Bool {
      guard let first = name.utf8.first, name.utf8.count <= 64 else { return false }
      return Self.isUpper(first)
        && name.utf8.allSatisfy { Self.isUpper($0) || Self.isDigit($0) || $0 == UInt8(ascii: "_") }
    }

    private static func isUpper(_ byte: UInt8) -> Bool {
      byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
      byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
  }

  /// How urgent it is.
  public var priority: Priority
  /// What a person reads.
  public var message: String
  /// The kind of event, by which entries are found and the catalog explains them.
  public var id: MessageID?
  /// What else is known.
  public var fields: [Field]
  /// Where in the program it comes from: file, line and function.
  public let source: [Field]

  /// Creates a message; the source is that of the call.
  public init(
    _ priority: Priority, _ message: String, id: MessageID? = nil, fields: [Field] = [],
    file: String = #fileID, line: Int = #line, function: String = #function
  ) {
    self.priority = priority
    self.message = message
    self.id = id
    self.fields = fields
    source = [
      Field("CODE_FILE", file), Field("CODE_LINE", String(line)), Field("CODE_FUNC", function),
    ]
  }

  /// All its fields, in the order they are sent; what the journal would not take is left out.
  public func allFields(identifier: String) -> [Field] {
    var all = [
      Field("MESSAGE", message), Field("PRIORITY", String(priority.rawValue)),
      Field("SYSLOG_IDENTIFIER", identifier),
    ]
    if let id { all.append(Field("MESSAGE_ID", id.text)) }
    return all + source + fields.filter(\.isValid)
  }
}

/// The 128-bit number of a kind of event, made once by `systemd-id128 new`.
public struct MessageID: Sendable, Hashable {
  /// The number as 32 lower-case hexadecimal digits.
  public let text: String

  /// Creates the number of two halves.
  public init(_ high: UInt64, _ low: UInt64) {
    text = Self.digits(high) + Self.digits(low)
  }

  private static func digits(_ half: UInt64) -> String {
    let digits = String(half, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
