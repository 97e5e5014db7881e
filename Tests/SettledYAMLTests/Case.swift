import SettledValues
import TestSupport

/// An input of a suite's file.
struct Case {
  let fields: ValueMap

  /// The cases of a file of the suites; none where it is absent.
  static func all(of file: String) throws -> [Case] {
    try (Suites.lines(of: file) ?? []).compactMap { line in
      guard case .map(let fields) = line else { return nil }
      return Case(fields: fields)
    }
  }

  var name: String { text("case") ?? text("name") ?? "" }

  /// The bytes of the YAML text: `yaml`, or `base64` where they are not UTF-8.
  var yaml: [UInt8] {
    if case .bytes(let bytes)? = fields["yaml"] { return bytes }
    return text("yaml").map { Array($0.utf8) } ?? Self.base64(text("base64") ?? "")
  }

  func text(_ key: String) -> String? {
    guard case .string(let text)? = fields[key] else { return nil }
    return text
  }

  func flag(_ key: String) -> Bool { fields[key] == true }

  private static func base64(_ text: String) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var bytes: [UInt8] = []
    var (bits, count) = (0, 0)
    for digit in text.utf8.compactMap({ alphabet.firstIndex(of: $0) }) {
      bits = (bits << 6 | digit) & 0xFFFF
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return bytes
  }
}
