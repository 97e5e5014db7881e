/// The keys of a document, each kept once and named by a number.
package struct KeyTable {
  package struct Key {
    package var start: UInt32
    package var count: UInt32
    package var hash: UInt32
  }

  private(set) var keys: [Key] = []
  private(set) var bytes: [UInt8] = []
  /// Numbers of keys, addressed by hash; the count is a power of two.
  private var slots = [UInt32](repeating: NodeRecord.none, count: 64)

  /// Spoils inputs made so that all keys fall into one slot.
  private static let seed = UInt64.random(in: .min ... .max)
  private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// The number of `text`, which is added where it is new.
  mutating func intern(_ text: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let hash = Self.hash(text)
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != NodeRecord.none {
      if matches(slots[slot], text, hash) { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    let number = UInt32(truncatingIfNeeded: keys.count)
    slots[slot] = number
    keys.append(
      Key(
        start: UInt32(truncatingIfNeeded: bytes.count),
        count: UInt32(truncatingIfNeeded: text.count), hash: hash))
    bytes.append(contentsOf: text)
    if keys.count * 2 > slots.count { grow() }
    return number
  }

  /// The number of `text`, or nil where no map has such a key.
  func find(_ text: UnsafeBufferPointer<UInt8>) -> UInt32? {
    find(text, hash: Self.hash(text))
  }

  /// The number of `text`, whose hash is known, or nil where no map has such a key.
  func find(_ text: UnsafeBufferPointer<UInt8>, hash: UInt32) -> UInt32? {
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != NodeRecord.none {
      if matches(slots[slot], text, hash) { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  func withBytes<Answer>(
    of number: UInt32, _ body: (UnsafeBufferPointer<UInt8>) -> Answer
  ) -> Answer {
    let key = keys[Int(number)]
    return bytes.withUnsafeBufferPointer {
      body(.init(rebasing: $0[Int(key.start)..<Int(key.start + key.count)]))
    }
  }

  /// Tells whether a key has only ASCII characters.
  func isASCII(_ number: UInt32) -> Bool {
    withBytes(of: number) { $0.allSatisfy { $0 < 0x80 } }
  }

  /// The number of another table's key in this one.
  func find(_ number: UInt32, of other: KeyTable) -> UInt32? {
    other.withBytes(of: number) { find($0, hash: other.keys[Int(number)].hash) }
  }

  func isKey(_ number: UInt32, equalTo other: UInt32, in table: KeyTable) -> Bool {
    table.withBytes(of: other) { matches(number, $0, table.keys[Int(other)].hash) }
  }

  func isKey(_ number: UInt32, equalTo text: UnsafeBufferPointer<UInt8>) -> Bool {
    withBytes(of: number) { isSameBytes($0, text) }
  }

  private func matches(
    _ number: UInt32, _ text: UnsafeBufferPointer<UInt8>, _ hash: UInt32
  ) -> Bool {
    keys[Int(number)].hash == hash && withBytes(of: number) { isSameBytes($0, text) }
  }

  private mutating func grow() {
    slots = [UInt32](repeating: NodeRecord.none, count: slots.count * 2)
    for (number, key) in keys.enumerated() {
      var slot = Int(key.hash) & (slots.count - 1)
      while slots[slot] != NodeRecord.none { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(truncatingIfNeeded: number)
    }
  }

  static func hash(_ text: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let raw = UnsafeRawBufferPointer(text)
    var hash = seed ^ UInt64(raw.count)
    if raw.count >= 8 {
      var offset = 0
      while offset + 8 < raw.count {
        hash = mix(hash, raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      // The last word overlaps with the one before.
      hash = mix(hash, raw.loadUnaligned(fromByteOffset: raw.count - 8, as: UInt64.self))
    } else {
      var rest: UInt64 = 0
      for byte in raw { rest = rest << 8 | UInt64(byte) }
      hash = mix(hash, rest)
    }
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }

  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word).multipliedFullWidth(by: multiplier)
    return product.high ^ product.low
  }
}
