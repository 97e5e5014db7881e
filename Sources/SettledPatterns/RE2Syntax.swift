/// The difference between what PCRE2 reads and what RE2 does.
///
/// RE2 has no construct that needs backtracking (github.com/google/re2/wiki/Syntax); here those are
/// refused, so that a pattern means the same to every implementation of CEL.
enum RE2Syntax {
  /// The largest count RE2 takes in `{n,m}`.
  private static let largestRepeat = 1000

  /// Refuses what RE2 does not have.
  static func check(_ pattern: String) throws(PatternError) {
    let bytes = Array(pattern.utf8)
    var position = 0
    var inClass = false
    var followsQuantifier = false
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\\"):
        try checkEscape(bytes, at: position)
        position = endOfEscape(bytes, at: position)
        followsQuantifier = false
        continue
      case UInt8(ascii: "[") where !inClass:
        inClass = true
        position = startOfMembers(bytes, at: position)
        followsQuantifier = false
        continue
      case UInt8(ascii: "]") where inClass: inClass = false
      case UInt8(ascii: "(") where !inClass: try checkGroup(bytes, at: position)
      case UInt8(ascii: "{") where !inClass: try checkRepeat(bytes, at: position)
      case UInt8(ascii: "+") where !inClass && followsQuantifier:
        throw PatternError(.syntax, "possessive repeats are not supported", at: position)
      default: break
      }
      followsQuantifier = !inClass && "*+?}".utf8.contains(bytes[position])
      position += 1
    }
  }

  /// The position of the first member of a class, after a `]` that is one.
  private static func startOfMembers(_ bytes: [UInt8], at position: Int) -> Int {
    var start = position + 1
    if start < bytes.count, bytes[start] == UInt8(ascii: "^") { start += 1 }
    if start < bytes.count, bytes[start] == UInt8(ascii: "]") { start += 1 }
    return start
  }

  /// The position after an escape; `\p{...}` and `\Q...\E` are one.
  private static func endOfEscape(_ bytes: [UInt8], at position: Int) -> Int {
    guard position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "Q") else {
      guard position + 2 < bytes.count, bytes[position + 2] == UInt8(ascii: "{"),
        let brace = bytes[position...].firstIndex(of: UInt8(ascii: "}"))
      else { return position + 2 }
      return brace + 1
    }
    var end = position + 2
    while end + 1 < bytes.count {
      if bytes[end] == UInt8(ascii: "\\"), bytes[end + 1] == UInt8(ascii: "E") { return end + 2 }
      end += 1
    }
    return bytes.count
  }

  private static func checkEscape(_ bytes: [UInt8], at position: Int) throws(PatternError) {
    guard position + 1 < bytes.count else { return }
    switch bytes[position + 1] {
    case UInt8(ascii: "1")...UInt8(ascii: "9"), UInt8(ascii: "g"), UInt8(ascii: "k"):
      throw PatternError(.syntax, "backreferences are not supported", at: position)
    case let letter where "cehlouGKLNRUXZHV".utf8.contains(letter):
      let escape = String(decoding: [UInt8(ascii: "\\"), letter], as: UTF8.self)
      throw PatternError(.syntax, "the escape '\(escape)' is not supported", at: position)
    default: break
    }
  }

  /// Of the groups that start with `(?`, RE2 has flags, `(?:` and names.
  private static func checkGroup(_ bytes: [UInt8], at position: Int) throws(PatternError) {
    let rest = bytes[(position + 1)...].prefix(4)
    let text = String(decoding: rest, as: UTF8.self)
    if text.hasPrefix("*") {
      throw PatternError(.syntax, "verbs are not supported", at: position)
    }
    guard text.hasPrefix("?") else { return }
    let kind = text.dropFirst()
    if ["=", "!", "<=", "<!"].contains(where: kind.hasPrefix) {
      throw PatternError(.syntax, "look-around is not supported", at: position)
    }
    let isNamed = kind.hasPrefix("P<") || kind.hasPrefix("<")
    let isFlags = kind.utf8.first.map { "imsU-:".utf8.contains($0) } ?? true
    guard isNamed || isFlags else {
      throw PatternError(.syntax, "this kind of group is not supported", at: position)
    }
  }

  private static func checkRepeat(_ bytes: [UInt8], at position: Int) throws(PatternError) {
    var number = 0
    for byte in bytes[(position + 1)...] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        number = min(number * 10 + Int(byte - UInt8(ascii: "0")), largestRepeat + 1)
        guard number <= largestRepeat else {
          throw PatternError(.limit, "a repeat is larger than \(largestRepeat)", at: position)
        }
      case UInt8(ascii: ","): number = 0
      default: return
      }
    }
  }
}
