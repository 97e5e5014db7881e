import SettledValues

/// `text.format(list)` (cel-spec, `doc/extensions/strings.md`).
struct Formatter {
  /// The most decimals a precision may ask for.
  private static let largestPrecision = 1000

  private var output: [UInt8] = []

  /// Replaces the verbs of `text` by `values`.
  static func format(
    _ text: String, _ values: [Value], _ frame: inout Frame
  ) throws(Failure) -> String {
    var formatter = Formatter()
    var rest = Array(text.utf8)[...]
    var position = 0
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        formatter.output.append(byte)
        continue
      }
      if rest.first == UInt8(ascii: "%") {
        formatter.output.append(rest.removeFirst())
        continue
      }
      let (precision, verb) = try readVerb(&rest)
      guard position < values.count else {
        throw Failure("'format' has no value for its verb number \(position + 1)")
      }
      try formatter.write(values[position], verb, precision, &frame)
      position += 1
    }
    try frame.charge(size: formatter.output.count)
    return String(decoding: formatter.output, as: UTF8.self)
  }

  private static func readVerb(
    _ rest: inout ArraySlice<UInt8>
  ) throws(Failure) -> (precision: Int, verb: UInt8) {
    var precision = 6
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      let digits = rest.prefix(while: Lexer.isDigit)
      rest = rest.dropFirst(digits.count)
      guard let number = Int(String(decoding: digits, as: UTF8.self)), number <= largestPrecision
      else { throw Failure("'format' needs a precision of up to \(largestPrecision) after '%.'") }
      precision = number
    }
    guard let verb = rest.popFirst() else { throw Failure("'format' ends inside a verb") }
    return (precision, verb)
  }

  private mutating func write(
    _ value: Value, _ verb: UInt8, _ precision: Int, _ frame: inout Frame
  ) throws(Failure) {
    let start = output.count
    try frame.charge(steps: 1)
    switch verb {
    case UInt8(ascii: "s"): try writeText(value, &frame)
    case UInt8(ascii: "d"): append(try Self.decimal(value))
    case UInt8(ascii: "f"): append(try Self.double(value, "f").fixedText(precision))
    case UInt8(ascii: "e"): append(try Self.double(value, "e").scientificText(precision))
    case UInt8(ascii: "x"): try writeHexadecimal(value, uppercase: false)
    case UInt8(ascii: "X"): try writeHexadecimal(value, uppercase: true)
    case UInt8(ascii: "o"): append(try Self.integer(value, "o", radix: 8))
    case UInt8(ascii: "b"):
      if case .bool(let truth) = value {
        append(truth ? "1" : "0")
      } else {
        append(try Self.integer(value, "b", radix: 2))
      }
    default:
      let shown = verb < 0x80 ? "%\(Character(Unicode.Scalar(verb)))" : "after '%'"
      throw Failure("'format' does not know the verb \(shown)").quoting
    }
    try frame.charge(size: output.count - start)
  }

  private mutating func append(_ text: String) {
    output.append(contentsOf: text.utf8)
  }

  private mutating func writeText(_ value: Value, _ frame: inout Frame) throws(Failure) {
    switch value {
    case .null: append("null")
    case .double(let number): append(number.decimalText)
    case .bytes(let bytes):
      // Adjacent invalid sequences become one replacement character.
      append(replacingInvalid(bytes))
    case .timestamp(let instant): append(instant.description)
    case .duration(let duration): append(Value.seconds(duration))
    case .type(let name): append(name)
    case .list(let list): try writeList(list, &frame)
    case .map(let map): try writeMap(map, &frame)
    case .optional: throw Failure("'%s' cannot take an optional")
    default: append(value.text ?? "")
    }
  }

  private mutating func writeList(_ list: [Value], _ frame: inout Frame) throws(Failure) {
    append("[")
    for (position, element) in list.enumerated() {
      if position > 0 { append(", ") }
      try write(element, UInt8(ascii: "s"), 6, &frame)
    }
    append("]")
  }

  /// Entries stand in the order of their keys' text.
  private mutating func writeMap(_ map: ValueMap, _ frame: inout Frame) throws(Failure) {
    var entries: [(key: [UInt8], value: Value)] = []
    for (key, value) in zip(map.keys, map.values) {
      var formatter = Formatter()
      try formatter.write(key, UInt8(ascii: "s"), 6, &frame)
      entries.append((formatter.output, value))
    }
    entries.sort { $0.key.lexicographicallyPrecedes($1.key) }
    append("{")
    for (position, entry) in entries.enumerated() {
      if position > 0 { append(", ") }
      output.append(contentsOf: entry.key)
      append(": ")
      try write(entry.value, UInt8(ascii: "s"), 6, &frame)
    }
    append("}")
  }

  private func replacingInvalid(_ bytes: [UInt8]) -> String {
    var result = String.UnicodeScalarView()
    var wasInvalid = false
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar):
        result.append(scalar)
        wasInvalid = false
      case .error:
        if !wasInvalid { result.append("\u{FFFD}") }
        wasInvalid = true
      case .emptyInput: return String(result)
      }
    }
  }

  private mutating func writeHexadecimal(_ value: Value, uppercase: Bool) throws(Failure) {
    let verb = uppercase ? "X" : "x"
    let bytes: [UInt8]
    switch value {
    case .string(let text): bytes = Array(text.utf8)
    case .bytes(let content): bytes = content
    default:
      append(try Self.integer(value, verb, radix: 16, uppercase: uppercase))
      return
    }
    let digits = Array((uppercase ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
    for byte in bytes {
      output.append(digits[Int(byte >> 4)])
      output.append(digits[Int(byte & 15)])
    }
  }

  private static func decimal(_ value: Value) throws(Failure) -> String {
    if case .double(let number) = value { return number.decimalText }
    return try integer(value, "d", radix: 10)
  }

  private static func integer(
    _ value: Value, _ verb: String, radix: Int, uppercase: Bool = false
  ) throws(Failure) -> String {
    switch value {
    case .int(let number): return String(number, radix: radix, uppercase: uppercase)
    case .uint(let number): return String(number, radix: radix, uppercase: uppercase)
    default: throw Failure("'%\(verb)' cannot take \(value.typePhrase)").quoting
    }
  }

  private static func double(_ value: Value, _ verb: String) throws(Failure) -> Double {
    switch value {
    case .double(let number): return number
    case .int(let number): return Double(number)
    case .uint(let number): return Double(number)
    default: throw Failure("'%\(verb)' cannot take \(value.typePhrase)").quoting
    }
  }
}
