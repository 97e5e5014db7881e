import SettledValues

extension Value {
  /// The value with nothing in it that JSON does not have: doubles that are no finite number become
  /// text as YAML spells it, absent optional values null.
  var wire: Value {
    switch self {
    case .double(let number) where number.isNaN: ".nan"
    case .double(let number) where number.isInfinite: number < 0 ? "-.inf" : ".inf"
    case .optional(let value): value?.wire ?? .null
    case .list(let elements): .list(elements.map(\.wire))
    case .map(let map):
      .map(ValueMap(zip(map.keys, map.values).map { (key: $0, value: $1.wire) }))
    default: self
    }
  }
}
