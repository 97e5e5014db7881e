/// A mail address: a mailbox of RFC 5321, section 4.1.2.
enum MailAddress {
  static func takes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var text = FormatText(bytes)
    guard text.next == UInt8(ascii: "\"") ? takeQuoted(&text) : takeDotted(&text), text.take("@")
    else { return false }
    guard text.take("[") else {
      return HostName.takes(UnsafeBufferPointer(rebasing: bytes[text.position...]))
    }
    return takeLiteral(&text) && text.take("]") && text.isAtEnd
  }

  private static func takeDotted(_ text: inout FormatText) -> Bool {
    repeat {
      let count = text.takeAll {
        $0.isASCIILetter || $0.isASCIIDigit || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0)
      }
      guard count > 0 else { return false }
    } while text.take(".")
    return true
  }

  private static func takeQuoted(_ text: inout FormatText) -> Bool {
    guard text.take("\"") else { return false }
    while let byte = text.next, byte != UInt8(ascii: "\"") {
      if text.take("\\") {
        guard let escaped = text.next, (0x20...0x7E).contains(escaped) else { return false }
        _ = text.take(Unicode.Scalar(escaped))
      } else {
        guard (0x20...0x7E).contains(byte) else { return false }
        _ = text.take(Unicode.Scalar(byte))
      }
    }
    return text.take("\"")
  }

  private static func takeLiteral(_ text: inout FormatText) -> Bool {
    let start = text.position
    if "IPv6:".unicodeScalars.allSatisfy({ text.take($0) }) { return text.takeIPv6() }
    text.back(to: start)
    return text.takeIPv4()
  }
}
