import SettledValues

/// The functions that write values in other formats.
let formatFunctions: [Function] = [
  Function(
    "base64.encode", .free, 1...1, "base64.encode(bytes) -> string", "Writes bytes in base64.",
    ["base64.encode(b'hello')": "'aGVsbG8='"],
    .unary { value, frame throws(Failure) in
      guard case .bytes(let bytes) = value else { throw .overload("base64.encode", value) }
      try frame.charge(size: bytes.count * 2)
      return .string(Value.base64(bytes))
    }),
  Function(
    "base64.decode", .free, 1...1, "base64.decode(text) -> bytes",
    "Reads base64, with or without its '=' at the end.",
    ["base64.decode('aGVsbG8')": "b'hello'"],
    .unary { value, frame throws(Failure) in
      guard case .string(let text) = value else { throw .overload("base64.decode", value) }
      try frame.charge(size: text.utf8.count)
      guard let bytes = Base64.decoded(text) else { throw Failure("the text is not base64") }
      return .bytes(bytes)
    }),
]
