import SettledValues

/// The smallest part of an expression.
struct Token {
  enum Kind: Equatable {
    case name
    case quotedName(String)
    case literal(Value)
    /// The digits of 2^63, which only a minus before them makes an integer.
    case minimumMagnitude
    case symbol(Symbol)
    case end
  }

  /// Operators and punctuation.
  enum Symbol: String {
    case leftParenthesis = "("
    case rightParenthesis = ")"
    case leftBracket = "["
    case rightBracket = "]"
    case leftBrace = "{"
    case rightBrace = "}"
    case dot = "."
    case comma = ","
    case colon = ":"
    case question = "?"
    case not = "!"
    case plus = "+"
    case minus = "-"
    case star = "*"
    case slash = "/"
    case percent = "%"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case and = "&&"
    case or = "||"
  }

  var kind: Kind
  var range: SourceRange

  /// Tells whether this is `symbol`.
  func `is`(_ symbol: Symbol) -> Bool {
    guard case .symbol(let own) = kind else { return false }
    return own == symbol
  }
}
