package import SettledValues

/// Something that an expression can call: one row of the table that makes name and arity checks,
/// did-you-mean, and the reference page.
package struct Function: Sendable {
  /// How a call is written.
  package enum Style: Sendable {
    /// `name(a, b)`
    case free
    /// `a.name(b)`
    case receiver
    /// Either.
    case either
  }

  /// What a call does, by the number of its arguments, the receiver among them.
  package enum Body: Sendable {
    case unary(@Sendable (Value, inout Frame) throws(Failure) -> Value)
    case binary(@Sendable (Value, Value, inout Frame) throws(Failure) -> Value)
    case variadic(@Sendable ([Value], inout Frame) throws(Failure) -> Value)
    /// Takes a map or list without reading all of it.
    case reading(@Sendable (Operand, inout Frame) throws(Failure) -> Value)
    /// Gives back what it was given.
    case identity
    /// Is expanded by the compiler.
    case macro(Macro)
  }

  /// The name, with its namespace: `size`, `math.ceil`.
  package var name: String
  /// How a call is written.
  package var style: Style
  /// The numbers of arguments it takes, without the receiver.
  package var arities: ClosedRange<Int>
  /// The arguments and result, as the reference page shows them.
  package var signature: String
  /// What it does, in one sentence.
  package var summary: String
  /// Calls with their results; each is a test.
  package var examples: [(call: String, result: String)]
  package var body: Body

  init(
    _ name: String, _ style: Style = .receiver, _ arities: ClosedRange<Int>, _ signature: String,
    _ summary: String, _ examples: KeyValuePairs<String, String>, _ body: Body
  ) {
    self.name = name
    self.style = style
    self.arities = arities
    self.signature = signature
    self.summary = summary
    self.examples = examples.map { (call: $0.key, result: $0.value) }
    self.body = body
  }
}

extension Failure {
  /// The failure that a function cannot take values of these types.
  static func overload(_ function: String, _ arguments: Value...) -> Failure {
    let types = arguments.map(\.typePhrase).joined(separator: " and ")
    return Failure("'\(function)' cannot take \(types)")
  }
}
