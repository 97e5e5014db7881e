import SettledValues

/// A reply that does not have the form this version knows.
public struct WireFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// The field that is missing or of a wrong type.
  public var field: String

  init(_ field: String) {
    self.field = field
  }

  /// What is wrong.
  public var description: String { "the reply has no usable '\(field)'" }
}

/// The fields of an object on the wire.
struct Fields {
  private let map: ValueMap

  init(_ value: Value, _ name: String) throws(WireFault) {
    guard case .map(let map) = value else { throw WireFault(name) }
    self.map = map
  }

  init(_ map: ValueMap) {
    self.map = map
  }

  /// The value of a field that may not be null.
  func value(_ name: String) throws(WireFault) -> Value {
    guard let value = optional(name) else { throw WireFault(name) }
    return value
  }

  /// The value of a field, or nil where it is null or absent.
  func optional(_ name: String) -> Value? {
    guard let value = map[name], value != .null else { return nil }
    return value
  }

  func text(_ name: String) throws(WireFault) -> String {
    guard case .string(let text) = try value(name) else { throw WireFault(name) }
    return text
  }

  func optionalText(_ name: String) throws(WireFault) -> String? {
    optional(name) == nil ? nil : try text(name)
  }

  func integer(_ name: String) throws(WireFault) -> Int64 {
    guard case .int(let number) = try value(name) else { throw WireFault(name) }
    return number
  }

  func optionalInteger(_ name: String) throws(WireFault) -> Int64? {
    optional(name) == nil ? nil : try integer(name)
  }

  func instant(_ name: String) throws(WireFault) -> Timestamp {
    guard let instant = Timestamp(try text(name)) else { throw WireFault(name) }
    return instant
  }

  /// The case of an enumeration that a field names.
  func word<Word: RawRepresentable<String>>(_ name: String) throws(WireFault) -> Word {
    guard let word = Word(rawValue: try text(name)) else { throw WireFault(name) }
    return word
  }

  /// The elements of a list, read one by one.
  func list<Element>(
    _ name: String, _ read: (Value) throws(WireFault) -> Element
  ) throws(WireFault) -> [Element] {
    guard case .list(let values) = try value(name) else { throw WireFault(name) }
    var elements: [Element] = []
    for value in values { elements.append(try read(value)) }
    return elements
  }
}

extension Value {
  /// Text, or null for nil.
  init(_ text: String?) {
    self = text.map { .string($0) } ?? .null
  }
}
