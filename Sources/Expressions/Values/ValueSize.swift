import SettledValues

extension Value {
  /// Whether the value, with everything in it each time it is there, is no larger than `left`;
  /// takes its size away.
  func fits(in left: inout Int) -> Bool {
    switch self {
    case .string(let text): left -= text.utf8.count
    case .bytes(let bytes): left -= bytes.count
    case .list(let list):
      left -= 32 * list.count
      return left >= 0 && list.allSatisfy { $0.isSmall || $0.fits(in: &left) }
    case .map(let map):
      left -= 64 * map.count
      return left >= 0 && (map.keys + map.values).allSatisfy { $0.fits(in: &left) }
    case .optional(let value?): return value.fits(in: &left)
    default: break
    }
    return left >= 0
  }

  /// Whether it holds nothing else.
  private var isSmall: Bool {
    switch self {
    case .null, .bool, .int, .uint, .double: true
    default: false
    }
  }
}
