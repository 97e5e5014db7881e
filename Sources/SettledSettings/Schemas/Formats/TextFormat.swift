internal import SettledPatterns

/// The formats that are asserted.
enum TextFormat: UInt8, CaseIterable, BitwiseCopyable {
  case dateTime, date, time, duration, ipv4, ipv6, hostname, email, uri, uriReference, uuid, regex
  case jsonPointer

  /// The name that schemas give it.
  var name: String {
    switch self {
    case .dateTime: "date-time"
    case .uriReference: "uri-reference"
    case .jsonPointer: "json-pointer"
    default: "\(self)"
    }
  }

  /// What it is, in words, with an example.
  var description: String {
    switch self {
    case .dateTime: "a date and time such as 2026-01-31T12:00:00Z"
    case .date: "a date such as 2026-01-31"
    case .time: "a time with its offset such as 12:00:00Z"
    case .duration: "a duration such as P1DT12H"
    case .ipv4: "an IPv4 address"
    case .ipv6: "an IPv6 address"
    case .hostname: "a host name"
    case .email: "a mail address"
    case .uri: "a URI with its scheme"
    case .uriReference: "a URI or a part of one"
    case .uuid: "a UUID"
    case .regex: "a regular expression"
    case .jsonPointer: "a JSON Pointer such as /a/0"
    }
  }

  /// Tells whether text is of the format; a pattern keeps the limits of patterns.
  func takes(
    _ bytes: UnsafeBufferPointer<UInt8>, patterns limits: PatternLimits = .default
  ) -> Bool {
    var text = FormatText(bytes)
    return switch self {
    case .dateTime: text.takeDateTime() && text.isAtEnd
    case .date: text.takeDate() && text.isAtEnd
    case .time: text.takeTime() && text.isAtEnd
    case .duration: text.takeDuration() && text.isAtEnd
    case .ipv4: text.takeIPv4() && text.isAtEnd
    case .ipv6: text.takeIPv6() && text.isAtEnd
    case .hostname: HostName.takes(bytes)
    case .email: MailAddress.takes(bytes)
    case .uri: text.takeURI(needsScheme: true) && text.isAtEnd
    case .uriReference: text.takeURI(needsScheme: false) && text.isAtEnd
    case .uuid: text.takeUUID() && text.isAtEnd
    case .regex: FormatText.isPattern(bytes, within: limits)
    case .jsonPointer: text.takeJSONPointer() && text.isAtEnd
    }
  }
}
