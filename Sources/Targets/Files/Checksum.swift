/// A sum that tells contents apart and finds damage (FNV-1a, draft-eastlake-fnv).
///
/// It differs whenever one byte does; it is no protection against anybody.
package enum Checksum {
  /// The sum of nothing.
  package static let empty: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The sum of bytes after what came to `start`.
  package static func sum(_ bytes: [UInt8], from start: UInt64 = empty) -> UInt64 {
    var sum = start
    for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return sum
  }

  /// A sum as it is written.
  package static func text(_ sum: UInt64) -> String { String(sum, radix: 16) }
}
