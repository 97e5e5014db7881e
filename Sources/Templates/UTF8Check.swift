/// Finds bytes that are not UTF-8.
enum UTF8Check {
  /// The position of the first byte that does not belong to valid UTF-8, or nil.
  static func firstInvalid(_ bytes: [UInt8]) -> Int? {
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
    var position = 0
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      position += UTF8.width(scalar)
    }
    return position
  }
}
