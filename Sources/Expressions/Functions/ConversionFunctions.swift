import SettledValues

/// The functions between types.
let conversionFunctions: [Function] = [
  Function(
    "bool", .free, 1...1, "bool(value) -> bool",
    "Converts text such as 'true' and 'false' to a bool.", ["bool('true')": "true"],
    .unary(toBool)),
  Function(
    "int", .free, 1...1, "int(value) -> int",
    "Converts a number, text or timestamp (its Unix seconds) to an int; doubles are cut off.",
    ["int('12')": "12", "int(-3.9)": "-3"], .unary(toInt)),
  Function(
    "uint", .free, 1...1, "uint(value) -> uint", "Converts a number or text to a uint.",
    ["uint('12')": "12u"], .unary(toUInt)),
  Function(
    "double", .free, 1...1, "double(value) -> double", "Converts a number or text to a double.",
    ["double('1.5')": "1.5", "double(2)": "2.0"], .unary(toDouble)),
  Function(
    "string", .free, 1...1, "string(value) -> string",
    "Converts a bool, number, bytes, timestamp or duration to text; of doubles, only those from "
      + "1e21 and below 1e-6 have an exponent.",
    ["string(8080)": "'8080'", "string(2.0)": "'2'", "string(duration('90s'))": "'90s'"],
    .unary(toText)),
  Function(
    "bytes", .free, 1...1, "bytes(value) -> bytes", "Converts text to its UTF-8 bytes.",
    ["bytes('abc')": "b'abc'"], .unary(toBytes)),
  Function(
    "timestamp", .free, 1...1, "timestamp(value) -> timestamp",
    "Reads an instant in RFC 3339, or makes one of Unix seconds.",
    ["timestamp('2026-01-31T12:00:00Z').getHours()": "12"], .unary(toTimestamp)),
  Function(
    "duration", .free, 1...1, "duration(value) -> duration",
    "Reads a span of time in h, m, s, ms, us and ns.", ["duration('1h30m').getMinutes()": "90"],
    .unary(toDuration)),
  Function(
    "type", .free, 1...1, "type(value) -> type", "Gives the type of a value.",
    ["type(1) == int": "true"],
    .reading { operand, _ throws(Failure) in .type(operand.typeName) }),
  Function(
    "dyn", .free, 1...1, "dyn(value)", "Gives back its value; type checkers use it.",
    ["dyn(1)": "1"], .identity),
]

@Sendable
private func toBool(_ value: Value, _ frame: inout Frame) throws(Failure) -> Value {
  switch value {
  case .bool: return value
  case .string(let text):
    switch text {
    case "true", "True", "TRUE", "t", "T", "1": return .bool(true)
    case "false", "False", "FALSE", "f", "F", "0": return .bool(false)
    default: throw Failure("the text is not a bool")
    }
  default: throw .overload("bool", value)
  }
}

@Sendable
private func toInt(_ value: Value, _ frame: inout Frame) throws(Failure) -> Value {
  switch value {
  case .int: return value
  case .uint(let number):
    if let exact = Int64(exactly: number) { return .int(exact) }
  case .double(let number):
    // The ends of the range are refused too (`langdef.md`, "Overflow").
    if number > -0x1p63, number < 0x1p63 { return .int(Int64(number)) }
  case .string(let text):
    guard let number = Int64(text) else { throw Failure("the text is not an int") }
    return .int(number)
  case .timestamp(let instant): return .int(instant.seconds)
  default: throw .overload("int", value)
  }
  throw Failure("the number is out of range")
}

@Sendable
private func toUInt(_ value: Value, _ frame: inout Frame) throws(Failure) -> Value {
  switch value {
  case .uint: return value
  case .int(let number):
    if let exact = UInt64(exactly: number) { return .uint(exact) }
  case .double(let number):
    if number >= 0, number < 0x1p64 { return .uint(UInt64(number)) }
  case .string(let text):
    guard let number = UInt64(text), text.utf8.first.map(Lexer.isDigit) == true else {
      throw Failure("the text is not a uint")
    }
    return .uint(number)
  default: throw .overload("uint", value)
  }
  throw Failure("the number is out of range")
}

@Sendable
private func toDouble(_ value: Value, _ frame: inout Frame) throws(Failure) -> Value {
  switch value {
  case .double: return value
  case .int(let number): return .double(Double(number))
  case .uint(let number): return .double(Double(number))
  case .string(let text):
    guard let number = Double(text), !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") })
    else { throw Failure("the text is not a double") }
    guard number.isFinite || !text.utf8.contains(where: Lexer.isDigit) else {
      throw Failure("the number is out of range")
    }
    return .double(number)
  default: throw .overload("double", value)
  }
}

@Sendable
private func toText(_ value: Value, _ frame: inout Frame) throws(Failure) -> Value {
  switch value {
  case .string: return value
  case .bytes(let bytes):
    try frame.charge(size: bytes.count)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure("the bytes are not UTF-8")
    }
    return .string(text)
  case .double(let number): return .string(number.conversionText)
  case .type: throw .overload("string", value)
  default:
    guard let text = value.text else { throw .overload("string", value) }
    return .string(text)
  }
}

@Sendable
private func toBytes(_ value: Value, _ frame: inout Frame) throws(Failure) -> Value {
  switch value {
  case .bytes: return value
  case .string(let text):
    try frame.charge(size: text.utf8.count)
    return .bytes(Array(text.utf8))
  default: throw .overload("bytes", value)
  }
}

@Sendable
private func toTimestamp(_ value: Value, _ frame: inout Frame) throws(Failure) -> Value {
  switch value {
  case .timestamp: return value
  case .string(let text): return .timestamp(try Timestamp(reading: text))
  case .int(let seconds): return .timestamp(try Timestamp(checkedSeconds: seconds))
  default: throw .overload("timestamp", value)
  }
}

@Sendable
private func toDuration(_ value: Value, _ frame: inout Frame) throws(Failure) -> Value {
  switch value {
  case .duration: return value
  case .string(let text): return .duration(try Duration(reading: text))
  case .int(let seconds):
    return .duration(try Duration(checkedNanoseconds: Int128(seconds) * 1_000_000_000))
  default: throw .overload("duration", value)
  }
}
