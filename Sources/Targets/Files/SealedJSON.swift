package import SettledValues

/// JSON that tells whether it is damaged, by the sum that its last key holds.
///
/// Half of what is kept names files to remove and commands to run: of a damaged file nothing counts.
package enum SealedJSON {
  private static let name = "check"
  private static let key = Value.string(name)

  /// The text of a map, with its sum.
  package static func encode(_ value: Value) throws(FormatError) -> [UInt8] {
    guard case .map(let map) = value else { return [] }
    var bytes = try text(of: map)
    let sum = Checksum.text(Checksum.sum(bytes))
    // It goes before the brace that ends the map.
    bytes.removeLast()
    bytes += Array("\(map.isEmpty ? "" : ",")\"\(name)\":\"\(sum)\"}".utf8)
    return bytes
  }

  /// Reads such a text back; nil where it is damaged.
  ///
  /// A map without a sum is one that was written before there were sums.
  package static func decode(_ bytes: [UInt8]) -> Value? {
    guard case .map(var map)? = try? JSON.read(bytes) else { return nil }
    guard let found = map[key] else { return .map(map) }
    map[key] = nil
    guard case .string(let found) = found, let bytes = try? text(of: map),
      found == Checksum.text(Checksum.sum(bytes))
    else { return nil }
    return .map(map)
  }

  private static func text(of map: ValueMap) throws(FormatError) -> [UInt8] {
    var bytes: [UInt8] = []
    try JSON.write(.map(map), into: &bytes)
    return bytes
  }
}
