import Expressions

/// A part of a template.
///
/// What a loop renders most is not `indirect`: a box costs a count up and down in every turn.
enum Block: Sendable {
  /// Text, as a range of the source's bytes.
  case text(Range<Int>)
  /// `{{ expression }}`
  case output(ScopedExpression)
  /// `{% if %}`
  indirect case choice(Choice)
  /// `{% for %}`
  indirect case loop(LoopBlock)
  /// `{% set name = expression %}`
  case assignment(slot: Int, ScopedExpression)
  /// `{% include "file" %}`
  indirect case include(TemplateSource, [Block])

  /// Where it starts in its source, or near.
  var offset: Int {
    switch self {
    case .text(let range): range.lowerBound
    case .output(let expression), .assignment(_, let expression):
      Int(expression.range.start)
    case .choice(let choice): choice.branches.first.map { Int($0.condition.range.start) } ?? 0
    case .loop(let loop): Int(loop.source.range.start)
    case .include(_, let blocks): blocks.first?.offset ?? 0
    }
  }
}

/// `{% if %}` with its branches.
struct Choice: Sendable {
  struct Branch: Sendable {
    var condition: ScopedExpression
    var body: [Block]
  }

  var branches: [Branch] = []
  var otherwise: [Block] = []
  /// The slots that any branch may set.
  var assigned: Set<Int> = []
}

/// A block that is repeated: `{% for %}`.
struct LoopBlock: Sendable {
  var source: ScopedExpression
  /// The slot of the element or key.
  var firstSlot: Int
  /// The slot of the value, where there are two names.
  var secondSlot: Int?
  /// The first of the two slots of `loop`.
  var loopSlot: Int
  /// Whether `loop` is read.
  var namesTurns = false
  /// The slots that are unset at the start of each turn.
  var assigned: Set<Int> = []
  var body: [Block] = []
  /// What is rendered where there is nothing to go through.
  var otherwise: [Block] = []
}
