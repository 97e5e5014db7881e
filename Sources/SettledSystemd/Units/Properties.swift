internal import CSystemd

/// The properties of a D-Bus object that have a type this module reads; others are left out.
struct Properties {
  private enum Value {
    case text(String)
    case number(UInt32)
    case flag(Bool)
    case bytes([UInt8])
    case texts([String])
  }

  private var values: [String: Value] = [:]

  /// No properties.
  init() {}

  /// Reads the answer of `org.freedesktop.DBus.Properties.GetAll`.
  init(_ answer: BusMessage) {
    values =
      answer.inside(BusMessage.Code.array, "{sv}") {
        var values: [String: Value] = [:]
        while let next = answer.inside(BusMessage.Code.entry, "sv", { Self.entry(answer) }) {
          values[next.name] = next.value
        }
        return values
      } ?? [:]
  }

  /// The string or path `name`.
  func text(_ name: String) -> String? {
    if case .text(let text)? = values[name] { text } else { nil }
  }

  /// The number `name`; of a structure its first number.
  func number(_ name: String) -> UInt32? {
    if case .number(let number)? = values[name] { number } else { nil }
  }

  /// The Boolean `name`.
  func flag(_ name: String) -> Bool? {
    if case .flag(let flag)? = values[name] { flag } else { nil }
  }

  /// The bytes `name`.
  func bytes(_ name: String) -> [UInt8]? {
    if case .bytes(let bytes)? = values[name] { bytes } else { nil }
  }

  /// The strings `name`.
  func texts(_ name: String) -> [String]? {
    if case .texts(let texts)? = values[name] { texts } else { nil }
  }

  private static func entry(_ message: BusMessage) -> (name: String, value: Value?)? {
    guard let name = message.string() else { return nil }
    guard let contents = message.variantContents else { return nil }
    return (name, value(message, contents))
  }

  private static func value(_ message: BusMessage, _ contents: String) -> Value? {
    let variant = BusMessage.Code.variant
    switch contents {
    case "s": return message.inside(variant, contents) { message.string().map(Value.text) }
    case "u": return message.inside(variant, contents) { message.uint32().map(Value.number) }
    case "b": return message.inside(variant, contents) { message.bool().map(Value.flag) }
    case "ay": return message.inside(variant, contents) { message.bytes().map(Value.bytes) }
    case "as": return message.inside(variant, contents) { message.strings().map(Value.texts) }
    case "(uo)":
      return message.inside(variant, contents) {
        message.inside(BusMessage.Code.structure, "uo") {
          let number = message.uint32().map(Value.number)
          message.skip("o")
          return number
        }
      }
    default:
      message.skip("v")
      return nil
    }
  }
}
