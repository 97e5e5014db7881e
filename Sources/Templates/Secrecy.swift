import Expressions

/// Which parts of the output depend on a secret that was read.
struct Secrecy {
  private let readsSecret: (() -> Bool)?
  private var slots: Set<Int> = []
  private var depth = 0
  /// The parts, in order and apart from each other.
  private(set) var ranges: [Range<Int>] = []

  init(_ readsSecret: (() -> Bool)?) {
    self.readsSecret = readsSecret
  }

  /// Whether anyone asks.
  var isOn: Bool { readsSecret != nil }

  /// Whether a secret was read since this was asked last.
  func takeRead() -> Bool { readsSecret?() ?? false }

  /// Whether an expression that was just evaluated read a secret, itself or through a name.
  func isSecret(_ expression: ScopedExpression) -> Bool {
    let hasRead = takeRead()
    return hasRead || !slots.isDisjoint(with: expression.slotsRead)
  }

  /// Notes whether the value a name was given is secret.
  mutating func assign(_ slot: Int, isSecret: Bool) {
    if isSecret || depth > 0 { slots.insert(slot) } else { slots.remove(slot) }
  }

  /// Begins a block that was chosen or repeated by something secret.
  mutating func enter() { depth += 1 }

  /// Ends such a block, whose output is `range`.
  mutating func leave(_ range: Range<Int>) {
    depth -= 1
    mark(range)
  }

  /// Notes that a part of the output is secret.
  mutating func mark(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    while let last = ranges.last, last.lowerBound >= range.lowerBound { ranges.removeLast() }
    if let last = ranges.last, last.upperBound >= range.upperBound { return }
    ranges.append(range)
  }
}
