/// Reading and writing of JSON as RFC 8259 has it, and nothing more.
public enum JSON {
  /// What a reader takes at most.
  public struct Limits: Sendable {
    /// The size of a text in bytes.
    public var size: Int
    /// How deep lists and maps may be nested.
    public var depth: Int

    /// Creates limits.
    public init(size: Int = 16 << 20, depth: Int = 128) {
      self.size = size
      self.depth = depth
    }
  }

  /// What a reader makes of an escaped surrogate that has no partner.
  public enum LoneSurrogates: Sendable {
    /// The text is refused.
    case refused
    /// The string that holds it is read as bytes, in which `\udcXX` stands for the byte XX.
    ///
    /// Python writes bytes that are not text so (PEP 383).
    case bytes
  }

  /// Reads one value.
  ///
  /// A number without fraction and exponent is an int where it fits, else a uint, else a double.
  public static func read(
    _ text: [UInt8], limits: Limits = Limits(), loneSurrogates: LoneSurrogates = .refused
  ) throws(JSONError) -> Value {
    try read(text.span, limits: limits, loneSurrogates: loneSurrogates)
  }

  /// Reads one value from text.
  public static func read(_ text: String, limits: Limits = Limits()) throws(JSONError) -> Value {
    try read(Array(text.utf8), limits: limits)
  }

  /// Reads one value from a part of a buffer.
  public static func read(
    _ text: Span<UInt8>, limits: Limits = Limits(), loneSurrogates: LoneSurrogates = .refused
  ) throws(JSONError) -> Value {
    guard text.count <= limits.size else {
      throw JSONError("larger than \(limits.size) bytes", offset: limits.size)
    }
    return try text.withUnsafeBufferPointer { bytes throws(JSONError) in
      do throws(UTF8.ValidationError) {
        _ = try UTF8Span(validating: bytes.span)
      } catch {
        throw JSONError("invalid UTF-8", offset: error.byteOffsets.lowerBound, in: bytes)
      }
      var reader = JSONReader(bytes, limits: limits, loneSurrogates: loneSurrogates)
      return try reader.readText()
    }
  }

  /// Appends a value as JSON to `output`.
  ///
  /// Bytes are written as base64, instants as RFC 3339, spans of time as seconds (`"1.5s"`), keys
  /// that are numbers or truth values as their text. NaN and the infinities have no JSON. `indent`
  /// is the spaces a level is indented by, or nil for a single line.
  public static func write(
    _ value: Value, into output: inout [UInt8], indent: Int? = nil
  ) throws(FormatError) {
    var writer = JSONWriter(output: output, indent: indent)
    output = []
    defer { output = writer.output }
    try writer.write(value)
  }

  /// The JSON text of a value, without a final line break.
  public static func text(_ value: Value, indent: Int? = nil) throws(FormatError) -> String {
    var output: [UInt8] = []
    try write(value, into: &output, indent: indent)
    return String(decoding: output, as: UTF8.self)
  }
}

/// Why a text is not JSON, and where.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, without any of the text.
  public var reason: String
  /// The byte it was found at, counted from 0.
  public var offset: Int
  /// The line, counted from 1.
  public var line = 1
  /// The column, counted from 1 in code points.
  public var column = 1

  init(_ reason: String, offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  init(_ reason: String, offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    self.init(reason, offset: offset)
    for byte in bytes.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
  }

  /// The reason after line and column: `3:9: expected ':'`.
  public var description: String { "\(line):\(column): \(reason)" }
}
