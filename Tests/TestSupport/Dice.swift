/// A repeatable source of randomness.
public struct Dice: RandomNumberGenerator {
  private var state: UInt64

  /// Creates dice that fall the same way for the same seed.
  public init(_ seed: Int) {
    state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  /// The next random bits.
  public mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_F491_4F6C_DD1D
  }

  /// A number from 0 to one less than the sides.
  public mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &self) }
}
