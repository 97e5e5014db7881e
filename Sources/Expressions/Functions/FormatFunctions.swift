import SettledValues

/// The functions that write values in other formats.
let formatFunctions: [Function] = [
  Function(
    "json", .free, 1...2, "json(value, indent) -> string",
    "Writes a value as JSON, on one line or with so many blanks of indentation.",
    [#"json({'a': [1, null, 'x']})"#: #"'{"a":[1,null,"x"]}'"#], .variadic(json)),
  Function(
    "yaml", .free, 1...1, "yaml(value) -> string",
    "Writes a value as YAML that fits on one line: text is quoted where it must be, a list or map "
      + "is in flow style.",
    ["yaml('yes')": #"'"yes"'"#, "yaml('plain')": "'plain'", "yaml([1, 2])": "'[1,2]'"],
    .unary(yaml)),
  Function(
    "shell", .free, 1...1, "shell(value) -> string",
    "Writes a value as a word for a shell, a list as words.",
    [#"shell("it's")"#: #"r"'it'\''s'""#, "shell(['ls', '-l'])": "'ls -l'"], .unary(shell)),
  Function(
    "env", .free, 1...1, "env(value) -> string",
    "Writes a value as the right side of a line in an environment file.",
    ["env('a b')": #"'"a b"'"#], .unary(environment)),
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

@Sendable
private func json(_ values: [Value], _ frame: inout Frame) throws(Failure) -> Value {
  var indent: Int?
  if values.count > 1 {
    guard case .int(let number) = values[1], (0...16).contains(number) else {
      throw Failure("the indentation of 'json' is a number from 0 to 16")
    }
    indent = Int(number)
  }
  try frame.checkSize(of: values[0])
  return .string(
    try written(&frame) { () throws(FormatError) in try JSON.text(values[0], indent: indent) })
}

@Sendable
private func yaml(_ value: Value, _ frame: inout Frame) throws(Failure) -> Value {
  try frame.checkSize(of: value)
  return .string(
    try written(&frame) { () throws(FormatError) in
      switch value {
      case .string(let text): Quoting.yaml(text)
      case .null: "null"
      case .bool, .int, .uint: value.text ?? ""
      default: try JSON.text(value)
      }
    })
}

@Sendable
private func shell(_ value: Value, _ frame: inout Frame) throws(Failure) -> Value {
  let words: [Value] = if case .list(let list) = value { list } else { [value] }
  try frame.charge(steps: words.count)
  var quoted: [String] = []
  for word in words {
    guard let text = word.text else { throw .overload("shell", word) }
    quoted.append(try written(&frame) { () throws(FormatError) in try Quoting.shell(text) })
  }
  return .string(quoted.joined(separator: " "))
}

@Sendable
private func environment(_ value: Value, _ frame: inout Frame) throws(Failure) -> Value {
  guard let text = value.text else { throw .overload("env", value) }
  return .string(
    try written(&frame) { () throws(FormatError) in try Quoting.environment(text) })
}

/// What `write` makes, with its size counted and its error as a failure.
private func written(
  _ frame: inout Frame, _ write: () throws(FormatError) -> String
) throws(Failure) -> String {
  let text: String
  do {
    text = try write()
  } catch {
    throw Failure("\(error)").quoting
  }
  try frame.charge(size: text.utf8.count)
  try frame.charge(bytes: text.utf8.count)
  return text
}
