package import SettledValues

/// A part of a compiled expression.
package protocol Node: AnyObject, Sendable {
  /// Where it stands in the source.
  var range: SourceRange { get }
  /// Its value, whole.
  func value(_ frame: inout Frame) throws(Failure) -> Value
  /// Its value, or a map or list that is read on demand.
  func operand(_ frame: inout Frame) throws(Failure) -> Operand
  /// How messages call it, where it is a name or the path of a setting.
  var spelling: String? { get }
  /// The path of the setting it reads, where that is known.
  var path: Path? { get }
  /// Its value, where that is always the same.
  var constant: Value? { get }
}

extension Node {
  package func operand(_ frame: inout Frame) throws(Failure) -> Operand {
    .value(try value(&frame))
  }

  package var spelling: String? { nil }
  package var path: Path? { nil }
  package var constant: Value? { nil }

  /// Its value, which must be a truth value.
  @inline(__always)
  package func truth(_ frame: inout Frame) throws(Failure) -> Bool {
    let value = try value(&frame)
    guard case .bool(let truth) = value else { throw notBool(value) }
    return truth
  }

  /// The failure that a condition is not a truth value.
  @inline(never)
  func notBool(_ value: Value) -> Failure {
    let name = spelling.map { "'\($0)'" } ?? "the condition"
    return Failure("\(name) is \(value.typePhrase), not a bool", at: range, path: path)
  }
}

extension Value {
  /// Its type with an article, for messages.
  package var typePhrase: String { Expressions.typePhrase(typeName) }
}

/// A type with its article, for messages.
func typePhrase(_ name: String) -> String {
  switch name {
  case "null_type": "null"
  case "bytes": "bytes"
  case "int", "optional_type": "an \(name.prefix { $0 != "_" })"
  case "google.protobuf.Timestamp": "a timestamp"
  case "google.protobuf.Duration": "a duration"
  default: "a \(name)"
  }
}
