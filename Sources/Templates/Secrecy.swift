import Expressions

/// The parts of an output that depend on a secret.
public struct SecretParts: Sendable, Hashable {
  /// The parts, in order and apart from each other; an empty one is where something might stand.
  public var ranges: [Range<Int>] = []
  /// Whether a part is what a statement chose or repeated: its extent tells of the secret.
  public var hasBlocks = false
}

/// Which parts of the output depend on a secret that was read.
struct Secrecy {
  private let readsSecret: (() -> Bool)?
  private var slots: Set<Int> = []
  private var depth = 0
  /// The parts.
  private(set) var parts = SecretParts()

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
    parts.hasBlocks = true
    mark(range)
  }

  /// Notes that a part of the output is secret.
  mutating func mark(_ range: Range<Int>) {
    while let last = parts.ranges.last, last.lowerBound >= range.lowerBound {
      parts.ranges.removeLast()
    }
    if let last = parts.ranges.last, last.upperBound >= range.upperBound { return }
    parts.ranges.append(range)
  }
}
