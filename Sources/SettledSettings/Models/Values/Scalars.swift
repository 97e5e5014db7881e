public import SettledObserving
public import SettledValues

extension Bool: SettingValue {
  /// Reads a truth value.
  public static func read(_ node: SettingNode) throws(Refusal) -> Bool { try node.bool() }
  /// The schema of a truth value.
  public static var schema: ValueMap { ["type": "boolean"] }
  /// The value.
  public var written: Value { .bool(self) }
}

extension String: SettingValue {
  /// Reads text as it is written.
  public static func read(_ node: SettingNode) throws(Refusal) -> String { try node.string() }
  /// The schema of text.
  public static var schema: ValueMap { ["type": "string"] }
  /// The text.
  public var written: Value { .string(self) }
}

extension Double: SettingValue {
  /// Reads a finite number.
  public static func read(_ node: SettingNode) throws(Refusal) -> Double { try node.double() }
  /// The schema of a number.
  public static var schema: ValueMap { ["type": "number"] }
  /// The number.
  public var written: Value { .double(self) }
}

@ObservingActor
extension SettingValue where Self: FixedWidthInteger {
  /// Reads an integer that the type can hold.
  public static func read(_ node: SettingNode) throws(Refusal) -> Self {
    let number = try node.int()
    guard let value = Self(exactly: number) else {
      throw node.mismatch(number < 0 ? "at least \(Self.min)" : "at most \(Self.max)")
    }
    return value
  }

  /// The schema of an integer, with the limits of the type where they are not those of 64 bits.
  public static var schema: ValueMap {
    var schema: ValueMap = ["type": "integer"]
    if Self.bitWidth < 64 || !Self.isSigned { schema["minimum"] = Self.min.written }
    if Self.bitWidth < 64 { schema["maximum"] = Self.max.written }
    return schema
  }

  /// The integer.
  public var written: Value { .int(Int64(clamping: self)) }
}

extension Int: SettingValue {}
extension Int64: SettingValue {}
extension Int32: SettingValue {}
extension Int16: SettingValue {}
extension Int8: SettingValue {}
extension UInt: SettingValue {}
extension UInt64: SettingValue {}
extension UInt32: SettingValue {}
extension UInt16: SettingValue {}
extension UInt8: SettingValue {}
