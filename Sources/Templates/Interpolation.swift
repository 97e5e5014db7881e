public import Expressions
public import SettledValues

/// A string with `{{ expressions }}`, as manifests use it for paths and arguments.
public struct Interpolation: Sendable {
  /// A part of the string.
  public enum Piece: Sendable {
    /// Text that stands for itself.
    case text(String)
    /// An expression; `range` is that of the tag, in UTF-8 bytes.
    case expression(range: Range<Int>)
  }

  private enum Part: Sendable {
    case text(String)
    case expression(ScopedExpression, Range<Int>)
  }

  /// The free names it uses, with ranges in the string.
  public let roots: [Root]
  private let parts: [Part]
  private let slotCount: Int
  private let limits: ExpressionLimits

  /// Reads a string.
  ///
  /// - Throws: an error that points into `source`.
  public init(
    _ source: String, limits: ExpressionLimits = .default
  ) throws(ExpressionError) {
    let bytes = Array(source.utf8)
    var scope = Scope()
    var parts: [Part] = []
    var position = 0
    while let start = Self.opening(in: bytes, from: position) {
      if start > position { parts.append(Self.text(bytes[position..<start])) }
      let (expression, end) = try ScopedExpression.read(
        bytes, from: start + 2, scope: &scope, limits: limits)
      guard bytes[end...].starts(with: "}}".utf8) else {
        throw ExpressionError(.syntax, "'{{' has no '}}'", at: start..<start + 2)
      }
      parts.append(.expression(expression, start..<end + 2))
      position = end + 2
    }
    if position < bytes.count { parts.append(Self.text(bytes[position...])) }
    self.parts = parts
    roots = parts.flatMap { part -> [Root] in
      if case .expression(let expression, _) = part { expression.roots } else { [] }
    }
    slotCount = scope.slotCount
    self.limits = limits
  }

  /// The parts of the string, in order.
  public var pieces: [Piece] {
    parts.map {
      switch $0 {
      case .text(let text): .text(text)
      case .expression(_, let range): .expression(range: range)
      }
    }
  }

  /// Renders the string over what `lookup` finds.
  ///
  /// - Parameters:
  ///   - lookup: what the free names stand for.
  ///   - check: looks at the text of each expression; a sentence it returns refuses it.
  /// - Throws: an error that points into the string.
  /// - Returns: the text and the texts of the expressions in one.
  public func render(
    _ lookup: any Lookup, check: (String) -> String? = { _ in nil }
  ) throws(ExpressionError) -> String {
    var frame = Frame(lookup, slotCount: slotCount, limits: limits)
    var output = ""
    for part in parts {
      switch part {
      case .text(let text): output += text
      case .expression(let expression, _):
        do {
          output += try Self.text(of: expression, check, &frame)
        } catch {
          throw error.error(&frame)
        }
      }
    }
    return output
  }

  private static func text(
    of expression: ScopedExpression, _ check: (String) -> String?, _ frame: inout Frame
  ) throws(Failure) -> String {
    let text = try expression.printedText(&frame)
    if let fault = check(text) {
      throw Failure(fault, at: expression.range, path: expression.path)
    }
    try frame.charge(size: text.utf8.count)
    return text
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> Part {
    .text(String(decoding: bytes, as: UTF8.self))
  }

  private static func opening(in bytes: [UInt8], from start: Int) -> Int? {
    var start = start
    while let brace = bytes[start...].firstIndex(of: UInt8(ascii: "{")) {
      if brace + 1 < bytes.count, bytes[brace + 1] == UInt8(ascii: "{") { return brace }
      start = brace + 1
    }
    return nil
  }
}
