import Expressions
import SettledValues

/// The bytes of a template and the file they come from.
final class TemplateSource: Sendable {
  let file: String
  let bytes: [UInt8]

  init(_ bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
  }

  /// The error with `message` about a range of bytes.
  func error(
    _ message: String, at range: Range<Int>, hint: String? = nil,
    kind: ExpressionError.Kind = .syntax, cause: (any Error)? = nil
  ) -> TemplateError {
    TemplateError(
      kind: kind, message: message, place: place(range.lowerBound), excerpt: excerpt(range),
      hint: hint, cause: cause)
  }

  /// An expression's error, which points into these bytes.
  func error(_ error: ExpressionError) -> TemplateError {
    TemplateError(
      kind: error.kind, message: error.message, place: place(error.range.lowerBound),
      excerpt: excerpt(error.range), hint: error.hint, path: error.path, cause: error.cause)
  }

  /// The file, line and column of a byte.
  func place(_ offset: Int) -> Place {
    let before = bytes[..<min(offset, bytes.count)]
    let line = before.reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return Place(file: file, line: line, column: Self.codePoints(before[start...]) + 1)
  }

  private func excerpt(_ range: Range<Int>) -> Diagnostic.Excerpt {
    let offset = min(range.lowerBound, bytes.count)
    let start = bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let end = bytes[offset...].firstIndex(of: 0x0A) ?? bytes.count
    // A line of a minified file says nothing, and may be the whole input.
    let shown = bytes[start..<end].prefix(Self.longestExcerpt)
    let length = Self.codePoints(bytes[offset..<max(offset, min(range.upperBound, end))])
    return Diagnostic.Excerpt(line: String(decoding: shown, as: UTF8.self), length: length)
  }

  private static let longestExcerpt = 400

  private static func codePoints(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) }
  }
}
