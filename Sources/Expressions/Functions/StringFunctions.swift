import SettledValues

/// The extended functions over text (cel-go, `ext/README.md`, "Strings").
///
/// Positions count code points from 0.
let stringFunctions: [Function] = [
  Function(
    "charAt", .receiver, 1...1, "text.charAt(position) -> string",
    "Gives the character at a position, and '' at the end.", ["'abc'.charAt(1)": "'b'"],
    .binary(characterAt)),
  Function(
    "indexOf", .receiver, 1...2, "text.indexOf(other, start) -> int",
    "Gives the first position of a text, from a start on, or -1.",
    ["'banana'.indexOf('an')": "1", "'banana'.indexOf('an', 2)": "3"],
    .variadic { values, frame throws(Failure) in
      try search("indexOf", values, &frame) { $0.position(of: $1, from: $2 ?? 0) }
    }),
  Function(
    "lastIndexOf", .receiver, 1...2, "text.lastIndexOf(other, end) -> int",
    "Gives the last position of a text, up to an end, or -1.",
    ["'banana'.lastIndexOf('an')": "3"],
    .variadic { values, frame throws(Failure) in
      try search("lastIndexOf", values, &frame) { $0.lastPosition(of: $1, upTo: $2 ?? $0.count) }
    }),
  Function(
    "join", .receiver, 0...1, "list.join(separator) -> string",
    "Puts texts together, with a separator between them.", ["['a', 'b'].join(', ')": "'a, b'"],
    .variadic(join)),
  Function(
    "split", .receiver, 1...2, "text.split(separator, limit) -> list",
    "Takes a text apart, into at most so many parts.",
    ["'a,b,c'.split(',')": "['a', 'b', 'c']", "'a,b,c'.split(',', 2)": "['a', 'b,c']"],
    .variadic(split)),
  Function(
    "replace", .receiver, 2...3, "text.replace(old, new, limit) -> string",
    "Replaces a text by another, at most so many times.",
    ["'a-b-c'.replace('-', '.')": "'a.b.c'", "'a-b-c'.replace('-', '.', 1)": "'a.b-c'"],
    .variadic(replace)),
  Function(
    "substring", .receiver, 1...2, "text.substring(start, end) -> string",
    "Gives the text from a start up to an end.", ["'database'.substring(4)": "'base'"],
    .variadic(substring)),
  transformation(
    "lowerAscii", "Turns ASCII letters into small ones.", ["'ABC'.lowerAscii()": "'abc'"],
    lowercasedASCII),
  transformation(
    "upperAscii", "Turns ASCII letters into capitals.", ["'abc'.upperAscii()": "'ABC'"],
    uppercasedASCII),
  transformation(
    "trim", "Removes white space from both ends.", ["'  a b '.trim()": "'a b'"], trimmed),
  transformation(
    "reverse", "Turns the order of the code points around.", ["'abc'.reverse()": "'cba'"]
  ) { text in
    var reversed = String.UnicodeScalarView()
    reversed.append(contentsOf: text.unicodeScalars.reversed())
    return String(reversed)
  },
  Function(
    "strings.quote", .free, 1...1, "strings.quote(text) -> string",
    "Puts double quotes around a text, with escapes.", ["strings.quote('a\"b')": "'\"a\\\\\"b\"'"],
    .unary { value, frame throws(Failure) in
      guard case .string(let text) = value else { throw .overload("strings.quote", value) }
      try frame.charge(size: text.utf8.count * 2)
      return .string(quoted(text))
    }),
  Function(
    "format", .receiver, 1...1, "text.format(list) -> string",
    "Replaces %s, %d, %f, %e, %x, %X, %o and %b by the elements of a list.",
    ["'%s:%d'.format(['db', 5432])": "'db:5432'", "'%.2f'.format([1.5])": "'1.50'"],
    .binary { text, values, frame throws(Failure) in
      guard case .string(let text) = text, case .list(let values) = values else {
        throw .overload("format", text, values)
      }
      return .string(try Formatter.format(text, values, &frame))
    }),
]

private func transformation(
  _ name: String, _ summary: String, _ examples: KeyValuePairs<String, String>,
  _ body: @escaping @Sendable (String) -> String
) -> Function {
  Function(
    name, .receiver, 0...0, "text.\(name)() -> string", summary, examples,
    .unary { value, frame throws(Failure) in
      guard case .string(let text) = value else { throw .overload(name, value) }
      try frame.charge(size: text.utf8.count)
      try frame.charge(bytes: text.utf8.count)
      return .string(body(text))
    })
}

@Sendable
private func lowercasedASCII(_ text: String) -> String {
  String(
    decoding: text.utf8.map {
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0
    }, as: UTF8.self)
}

@Sendable
private func uppercasedASCII(_ text: String) -> String {
  String(
    decoding: text.utf8.map {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 & ~0x20 : $0
    }, as: UTF8.self)
}

@Sendable
private func trimmed(_ text: String) -> String {
  let scalars = text.unicodeScalars
  let start = scalars.firstIndex { !$0.properties.isWhitespace } ?? scalars.endIndex
  let end = scalars.lastIndex { !$0.properties.isWhitespace }.map(scalars.index(after:))
  return String(scalars[start..<(end ?? start)])
}

/// Quotes as cel-go does: backslash, quote and the control characters that have a letter.
private func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\u{7}": result += "\\a"
    case "\u{8}": result += "\\b"
    case "\u{C}": result += "\\f"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    case "\u{B}": result += "\\v"
    case "\\": result += "\\\\"
    case "\"": result += "\\\""
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
