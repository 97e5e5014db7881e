public import SettledValues

extension Duration: SettingValue {
  /// Reads a span of time with its units.
  public static func read(_ node: SettingNode) throws(Refusal) -> Duration {
    try node.duration()
  }

  /// The schema: digits and units.
  public static var schema: ValueMap {
    [
      "type": "string", "pattern": "^(0|([0-9]+(ns|us|ms|s|min|m|h|d))+)$",
      "examples": ["10s", "500ms", "1h30m"],
    ]
  }

  /// The span in the units that settings have: `1h30m`, `500ms`.
  public var written: Value {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return .string(Value.seconds(self)) }
    var text = ""
    var rest = seconds
    for (unit, size) in [("h", Int64(3600)), ("m", 60), ("s", 1)] where rest >= size {
      text += "\(rest / size)\(unit)"
      rest %= size
    }
    var nanoseconds = attoseconds / 1_000_000_000
    for (unit, size) in [("ms", Int64(1_000_000)), ("us", 1_000), ("ns", 1)]
    where nanoseconds >= size {
      text += "\(nanoseconds / size)\(unit)"
      nanoseconds %= size
    }
    return .string(text.isEmpty ? "0s" : text)
  }
}
