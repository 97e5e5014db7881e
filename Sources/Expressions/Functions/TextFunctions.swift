import SettledValues

/// The functions over text of the standard library.
let textFunctions: [Function] = [
  predicate(
    "contains", "Tells whether the text holds another.", ["'database'.contains('base')": "true"]
  ) { $0.containsBytes($1) },
  predicate(
    "startsWith", "Tells whether the text starts with another.",
    ["'database'.startsWith('data')": "true"]
  ) { $0.startsWithBytes($1) },
  predicate(
    "endsWith", "Tells whether the text ends with another.",
    ["'database'.endsWith('data')": "false"]
  ) { $0.endsWithBytes($1) },
  Function(
    "matches", .either, 1...1, "text.matches(pattern) -> bool",
    "Tells whether a part of the text matches a regular expression in RE2's syntax; the work is "
      + "bounded.",
    ["'db-17'.matches('^db-[0-9]+$')": "true"],
    .binary { text, pattern, frame throws(Failure) in
      guard case .string(let text) = text, case .string(let pattern) = pattern else {
        throw .overload("matches", text, pattern)
      }
      return .bool(try CompiledMatch(frame.compiledPattern(pattern)).matches(text, &frame))
    }),
]

private func predicate(
  _ name: String, _ summary: String, _ examples: KeyValuePairs<String, String>,
  _ body: @escaping @Sendable (String, String) -> Bool
) -> Function {
  Function(
    name, .receiver, 1...1, "text.\(name)(other) -> bool", summary, examples,
    .binary { text, other, frame throws(Failure) in
      guard case .string(let text) = text, case .string(let other) = other else {
        throw .overload(name, text, other)
      }
      try frame.charge(bytes: text.utf8.count)
      return .bool(body(text, other))
    })
}
