public import SettledObserving
public import SettledValues

/// A type that a setting can have.
///
/// An enum or another type that is made from a raw value needs no more than the conformance; an enum
/// that is `CaseIterable` lists what may be written.
public protocol SettingValue: Equatable {
  /// Reads a value.
  ///
  /// - Throws: what is wrong with it, by ``SettingNode/mismatch(_:hint:)``.
  @ObservingActor static func read(_ node: SettingNode) throws(Refusal) -> Self
  /// The JSON Schema of what may be written.
  @ObservingActor static var schema: ValueMap { get }
  /// The value as it is written.
  @ObservingActor var written: Value { get }
}

@ObservingActor
extension SettingValue where Self: RawRepresentable, RawValue: SettingValue {
  /// Reads the raw value.
  public static func read(_ node: SettingNode) throws(Refusal) -> Self {
    guard let value = Self(rawValue: try RawValue.read(node)) else {
      throw node.mismatch("another value")
    }
    return value
  }

  /// The schema of the raw value.
  public static var schema: ValueMap { RawValue.schema }

  /// The raw value.
  public var written: Value { rawValue.written }
}

@ObservingActor
extension SettingValue where Self: RawRepresentable & CaseIterable, RawValue: SettingValue {
  /// Reads the raw value of one of the cases.
  public static func read(_ node: SettingNode) throws(Refusal) -> Self {
    let raw = try RawValue.read(node)
    for value in allCases where value.rawValue == raw { return value }
    let cases = allCases.compactMap { $0.written.text }
    let hint = (raw.written.text ?? "").closest(among: cases).map { "did you mean '\($0)'?" }
    throw node.mismatch("one of " + cases.joined(separator: ", "), hint: hint)
  }

  /// The schema: the raw values of all cases.
  public static var schema: ValueMap {
    var schema = RawValue.schema
    schema["enum"] = .list(allCases.map { $0.written })
    return schema
  }
}

@ObservingActor
extension Optional: SettingValue where Wrapped: SettingValue {
  /// Reads a value; null is nil.
  public static func read(_ node: SettingNode) throws(Refusal) -> Wrapped? {
    node.isNull ? nil : try Wrapped.read(node)
  }

  /// The schema of the value, or null.
  public static var schema: ValueMap {
    ["anyOf": [.map(Wrapped.schema), ["type": "null"]]]
  }

  /// The value, or null.
  public var written: Value { self?.written ?? .null }
}

@ObservingActor
extension Array: SettingValue where Element: SettingValue {
  /// Reads a list, with the faults of all its elements.
  public static func read(_ node: SettingNode) throws(Refusal) -> [Element] {
    var list: [Element] = []
    var faults: [Diagnostic] = []
    for element in try node.elements() {
      do { list.append(try Element.read(element)) } catch { faults += error.diagnostics }
    }
    guard faults.isEmpty else { throw Refusal(faults) }
    return list
  }

  /// The schema of a list.
  public static var schema: ValueMap {
    ["type": "array", "items": .map(Element.schema)]
  }

  /// The list.
  public var written: Value { .list(map { $0.written }) }
}

@ObservingActor
extension Dictionary: SettingValue where Key == String, Value: SettingValue {
  /// Reads a map, with the faults of all its entries.
  public static func read(_ node: SettingNode) throws(Refusal) -> [String: Value] {
    var map: [String: Value] = [:]
    var faults: [Diagnostic] = []
    for (key, value) in try node.entries() {
      do { map[key] = try Value.read(value) } catch { faults += error.diagnostics }
    }
    guard faults.isEmpty else { throw Refusal(faults) }
    return map
  }

  /// The schema of a map with any keys.
  public static var schema: ValueMap {
    ["type": "object", "additionalProperties": .map(Value.schema)]
  }

  /// The map, its keys in byte order.
  public var written: SettledValues.Value {
    let entries = sorted { $0.key.precedesByBytes($1.key) }
    return .map(ValueMap(entries.map { (key: .string($0.key), value: $0.value.written) }))
  }
}
