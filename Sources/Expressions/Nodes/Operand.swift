package import SettledValues

/// What a part of an expression came to: a value, or a map or list that is read piece by piece.
package enum Operand {
  /// A value.
  case value(Value)
  /// A map or list that is read on demand.
  indirect case container(any Container)
  /// An optional that holds a map or list that is read on demand.
  indirect case optional(any Container)

  /// Wraps what a lookup found.
  package init(_ found: Found) {
    switch found {
    case .value(let value): self = .value(value)
    case .container(let container): self = .container(container)
    }
  }

  /// The whole as a value, which reads everything below.
  package func whole() throws(Failure) -> Value {
    do {
      switch self {
      case .value(let value): return value
      case .container(let container): return try container.whole()
      case .optional(let container): return .optional(try container.whole())
      }
    } catch {
      throw Failure(reading: error)
    }
  }

  /// The name of its type.
  package var typeName: String {
    switch self {
    case .value(let value): value.typeName
    case .container(let container): container.isList ? "list" : "map"
    case .optional: "optional_type"
    }
  }
}
