import SettledValues

/// An expression as it was written.
///
/// Chains of operators and of accesses are flat, so that their length does not count as depth.
struct Syntax {
  indirect enum Kind {
    case literal(Value)
    /// A name; `isAbsolute` where a leading dot says that no local name is meant.
    case name(String, isAbsolute: Bool)
    case access(Syntax, [Step])
    case call(Call)
    case list([Element])
    case map([Entry])
    case not(Syntax)
    case negation(Syntax)
    case arithmetic(Syntax, [Term])
    case comparison(Syntax, [Term])
    case and([Syntax])
    case or([Syntax])
    /// Conditions with their results, and the result where none holds.
    case conditional([(condition: Syntax, result: Syntax)], Syntax)
  }

  /// A step from a value to what it holds: `.name`, `[index]`, `.?name`, `[?index]`.
  struct Step {
    enum Kind {
      case member(String)
      case index(Syntax)
    }
    var kind: Kind
    var isOptional: Bool
    var range: SourceRange
  }

  struct Call {
    var name: String
    var nameRange: SourceRange
    var target: Syntax?
    var arguments: [Syntax]
  }

  struct Element {
    var value: Syntax
    var isOptional: Bool
  }

  struct Entry {
    var key: Syntax
    var value: Syntax
    var isOptional: Bool
  }

  /// An operator and its right operand.
  struct Term {
    var symbol: BinaryOperator
    var symbolRange: SourceRange
    var operand: Syntax
  }

  let kind: Kind
  var range: SourceRange
  /// The number of expressions from this one down to the deepest in it.
  let height: Int

  init(kind: Kind, range: SourceRange) {
    self.kind = kind
    self.range = range
    height = 1 + kind.parts.reduce(0) { max($0, $1.height) }
  }

  /// The name where the expression is nothing else.
  var simpleName: String? {
    guard case .name(let name, isAbsolute: false) = kind else { return nil }
    return name
  }
}

extension Syntax.Kind {
  /// The expressions this one is made of.
  var parts: [Syntax] {
    switch self {
    case .literal, .name: []
    case .access(let base, let steps): [base] + steps.compactMap(\.index)
    case .call(let call): (call.target.map { [$0] } ?? []) + call.arguments
    case .list(let elements): elements.map(\.value)
    case .map(let entries): entries.flatMap { [$0.key, $0.value] }
    case .not(let operand), .negation(let operand): [operand]
    case .arithmetic(let first, let terms), .comparison(let first, let terms):
      [first] + terms.map(\.operand)
    case .and(let operands), .or(let operands): operands
    case .conditional(let branches, let last):
      branches.flatMap { [$0.condition, $0.result] } + [last]
    }
  }
}

extension Syntax.Step {
  /// The expression in its brackets.
  fileprivate var index: Syntax? {
    if case .index(let index) = kind { index } else { nil }
  }
}

/// The operators between two operands, without `&&` and `||`.
enum BinaryOperator: String, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case remainder = "%"
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case contained = "in"
}
