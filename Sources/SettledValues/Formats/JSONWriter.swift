/// A writer of JSON texts.
struct JSONWriter {
  var output: [UInt8]
  let indent: Int?
  private var level = 0

  init(output: [UInt8], indent: Int?) {
    self.output = output
    self.indent = indent
  }

  mutating func write(_ value: Value) throws(FormatError) {
    switch value {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .string(let text): write(text)
    case .list(let elements): try write(elements)
    case .map(let map): try write(map)
    case .int(let number): write(number: number)
    case .uint(let number): write(number: number)
    case .double(let number):
      guard number.isFinite else { throw FormatError("\(number) has no JSON") }
      write(number: number)
    case .bytes, .timestamp, .duration, .type, .optional:
      guard let text = value.text else { throw FormatError("an optional value has no JSON") }
      write(text)
    }
  }

  private mutating func write(number: some CustomStringConvertible) {
    output.append(contentsOf: number.description.utf8)
  }

  private mutating func write(_ elements: [Value]) throws(FormatError) {
    output.append(UInt8(ascii: "["))
    level += 1
    for (index, element) in elements.enumerated() {
      separate(index)
      do { try write(element) } catch { throw error.below(.index(index)) }
    }
    close(with: UInt8(ascii: "]"), isEmpty: elements.isEmpty)
  }

  private mutating func write(_ map: ValueMap) throws(FormatError) {
    output.append(UInt8(ascii: "{"))
    level += 1
    let keys = try map.textKeys(for: "JSON")
    for (index, key) in keys.enumerated() {
      separate(index)
      write(key)
      output.append(UInt8(ascii: ":"))
      if indent != nil { output.append(UInt8(ascii: " ")) }
      do { try write(map.values[index]) } catch { throw error.below(.key(key)) }
    }
    close(with: UInt8(ascii: "}"), isEmpty: keys.isEmpty)
  }

  private mutating func separate(_ index: Int) {
    if index > 0 { output.append(UInt8(ascii: ",")) }
    startLine()
  }

  private mutating func close(with bracket: UInt8, isEmpty: Bool) {
    level -= 1
    if !isEmpty { startLine() }
    output.append(bracket)
  }

  private mutating func startLine() {
    guard let indent else { return }
    output.append(UInt8(ascii: "\n"))
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent * level))
  }

  private mutating func write(_ text: String) {
    var text = text
    output.append(UInt8(ascii: "\""))
    text.withUTF8 { bytes in
      var plain = 0
      for (index, byte) in bytes.enumerated() where Self.isEscaped(byte) {
        output.append(contentsOf: bytes[plain..<index])
        escape(byte)
        plain = index + 1
      }
      output.append(contentsOf: bytes[plain...])
    }
    output.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escape(_ byte: UInt8) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    case 0x20...: output.append(byte)
    default:
      output.append(contentsOf: byte < 0x10 ? "u000".utf8 : "u001".utf8)
      output.append(contentsOf: String(byte & 0x0F, radix: 16).utf8)
    }
  }
}
