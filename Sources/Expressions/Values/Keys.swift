import SettledValues

extension ValueMap {
  /// The value of `key` as CEL compares keys: numbers of different kinds that are equal are one
  /// key.
  func entry(_ key: Value) -> Value? {
    if case .string(let name) = key { return self[name] }
    if let value = self[key] { return value }
    for alternative in key.equalNumbers {
      if let value = self[alternative] { return value }
    }
    return nil
  }
}

extension Value {
  /// The numbers of other kinds that equal this one, of those that can be keys.
  var equalNumbers: [Value] {
    switch self {
    case .int(let value): UInt64(exactly: value).map { [.uint($0)] } ?? []
    case .uint(let value): Int64(exactly: value).map { [.int($0)] } ?? []
    case .double(let value):
      (Int64(exactly: value).map { [.int($0)] } ?? [])
        + (UInt64(exactly: value).map { [.uint($0)] } ?? [])
    default: []
    }
  }

  /// Whether maps may have it as a key.
  var isKey: Bool {
    switch self {
    case .bool, .int, .uint, .string: true
    default: false
    }
  }
}
