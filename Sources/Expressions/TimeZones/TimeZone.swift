import Glibc
import SettledValues
import Synchronization

/// The offsets from UTC of a place over time.
struct TimeZone: Sendable {
  /// The instants at which the offset changes, in order, in seconds since 1970.
  var transitions: [Int64] = []
  /// The offset from each transition on, in seconds east of UTC.
  var offsets: [Int64] = []
  /// The offset before the first transition.
  var first: Int64 = 0
  /// The rule after the last transition.
  var rule: TimeZoneRule?

  /// The offset from UTC at an instant, in seconds east.
  func offset(at seconds: Int64) -> Int64 {
    guard let last = transitions.last else { return rule?.offset(at: seconds) ?? first }
    if seconds >= last, let rule { return rule.offset(at: seconds) }
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? first : offsets[low - 1]
  }

  /// The zone with a name of the tz database, `UTC`, or an offset like `+02:00`.
  static func named(_ name: String) throws(Failure) -> TimeZone {
    if name.isEmpty || name == "UTC" { return TimeZone() }
    if let offset = fixedOffset(name) { return TimeZone(first: offset) }
    if let known = known.withLock({ $0[name] }) { return known }
    guard isName(name), let bytes = read("/usr/share/zoneinfo/" + name),
      let zone = TimeZone(tzif: bytes)
    else {
      throw Failure(
        "there is no time zone '\(name.prefix(60))'",
        hint: "name one of /usr/share/zoneinfo, or an offset like '+02:00'"
      ).quoting
    }
    known.withLock { zones in
      if zones.count >= mostKnown { zones = [:] }
      zones[name] = zone
    }
    return zone
  }

  /// The zones that were read before; an update of the tz database is seen after a restart.
  private static let known = Mutex<[String: TimeZone]>([:])
  private static let mostKnown = 64

  /// `+hh:mm`, `-hh:mm` or `hh:mm` in seconds.
  private static func fixedOffset(_ text: String) -> Int64? {
    var bytes = Array(text.utf8)[...]
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
    let digits = bytes.filter(Lexer.isDigit).map { Int64($0 - UInt8(ascii: "0")) }
    guard bytes.count == 5, digits.count == 4,
      bytes[bytes.startIndex + 2] == UInt8(ascii: ":")
    else { return nil }
    let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
    guard hours < 24, minutes < 60 else { return nil }
    return (hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
  }

  /// Whether a name can only lead to a file of the tz database.
  private static func isName(_ name: String) -> Bool {
    name.utf8.count <= 64 && name.utf8.first.map(Lexer.startsName) == true
      && name.utf8.allSatisfy { Lexer.continuesName($0) || "+-/".utf8.contains($0) }
  }

  private static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var count = 0
    while count < bytes.count {
      let room = bytes.count - count
      let length = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, room)
      }
      guard length > 0 else { break }
      count += length
    }
    return Array(bytes.prefix(count))
  }
}
