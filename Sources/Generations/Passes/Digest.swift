import SettledValues

extension [UInt8] {
  /// A sum that tells contents apart (FNV-1a, draft-eastlake-fnv); it is no protection against
  /// anybody.
  var digest: String {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in self { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(sum, radix: 16)
  }
}

extension Value {
  /// The digest of the value's JSON text.
  var digest: String {
    var bytes: [UInt8] = []
    // What JSON cannot hold counts as changed each time.
    guard (try? JSON.write(self, into: &bytes)) != nil else { return "" }
    return bytes.digest
  }
}
