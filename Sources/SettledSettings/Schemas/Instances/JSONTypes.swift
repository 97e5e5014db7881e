/// Types of JSON as a set of bits.
///
/// A number is `integer` where it has no fraction, `1.0` too, and `fraction` else; the type that
/// schemas call `number` is both.
struct JSONTypes: OptionSet, BitwiseCopyable {
  var rawValue: UInt8

  static let null = JSONTypes(rawValue: 1)
  static let bool = JSONTypes(rawValue: 2)
  static let integer = JSONTypes(rawValue: 4)
  static let fraction = JSONTypes(rawValue: 8)
  static let string = JSONTypes(rawValue: 16)
  static let list = JSONTypes(rawValue: 32)
  static let map = JSONTypes(rawValue: 64)
  static let number: JSONTypes = [.integer, .fraction]
  static let any = JSONTypes(rawValue: 127)

  /// The types by the names that schemas give them.
  static let names: [(name: String, types: JSONTypes)] = [
    ("null", .null), ("boolean", .bool), ("integer", .integer), ("number", .number),
    ("string", .string), ("array", .list), ("object", .map),
  ]
}
