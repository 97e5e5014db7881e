/// A reader of one JSON text that is known to be valid UTF-8.
struct JSONReader {
  let bytes: UnsafeBufferPointer<UInt8>
  let limits: JSON.Limits
  let loneSurrogates: JSON.LoneSurrogates
  var position = 0
  private var depth = 0

  init(
    _ bytes: UnsafeBufferPointer<UInt8>, limits: JSON.Limits, loneSurrogates: JSON.LoneSurrogates
  ) {
    self.bytes = bytes
    self.limits = limits
    self.loneSurrogates = loneSurrogates
  }

  /// Reads a value and the white space around it, up to the end.
  mutating func readText() throws(JSONError) -> Value {
    let value = try readValue()
    guard position == bytes.count else { throw fault("unexpected text after the value") }
    return value
  }

  /// The next byte, or nil at the end.
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// An error at the current position.
  func fault(_ reason: String) -> JSONError {
    JSONError(next == nil ? "unexpected end" : reason, offset: position, in: bytes)
  }

  /// An error at an earlier position.
  func fault(_ reason: String, at offset: Int) -> JSONError {
    JSONError(reason, offset: offset, in: bytes)
  }

  private mutating func readValue() throws(JSONError) -> Value {
    skipSpace()
    let value: Value
    guard let first = next else { throw fault("expected a value") }
    switch first {
    case UInt8(ascii: "{"): value = try readMap()
    case UInt8(ascii: "["): value = try readList()
    case UInt8(ascii: "\""): value = try readString()
    case UInt8(ascii: "t"): value = try readWord("true", .bool(true))
    case UInt8(ascii: "f"): value = try readWord("false", .bool(false))
    case UInt8(ascii: "n"): value = try readWord("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): value = try readNumber()
    default: throw fault("expected a value")
    }
    skipSpace()
    return value
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  /// Takes `byte` if it comes next.
  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func readWord(_ word: StaticString, _ value: Value) throws(JSONError) -> Value {
    let start = position
    let length = word.utf8CodeUnitCount
    for index in 0..<length where !take(word.utf8Start[index]) {
      throw fault("expected a value", at: start)
    }
    return value
  }

  private mutating func enter() throws(JSONError) {
    depth += 1
    guard depth <= limits.depth else { throw fault("nested deeper than \(limits.depth)") }
    position += 1
    skipSpace()
  }

  private mutating func readList() throws(JSONError) -> Value {
    try enter()
    defer { depth -= 1 }
    var elements: [Value] = []
    if take(UInt8(ascii: "]")) { return .list(elements) }
    repeat {
      elements.append(try readValue())
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw fault("expected ',' or ']'") }
    return .list(elements)
  }

  private mutating func readMap() throws(JSONError) -> Value {
    try enter()
    defer { depth -= 1 }
    var map = ValueMap()
    if take(UInt8(ascii: "}")) { return .map(map) }
    repeat {
      skipSpace()
      let start = position
      guard next == UInt8(ascii: "\"") else { throw fault("expected a key in double quotes") }
      let key = try readString()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw fault("expected ':'") }
      let value = try readValue()
      guard map.insert(value, at: key) else { throw fault("duplicate key", at: start) }
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw fault("expected ',' or '}'") }
    return .map(map)
  }
}
