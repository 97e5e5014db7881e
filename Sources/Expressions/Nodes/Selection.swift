import SettledValues

/// Getting at what maps, lists and optionals hold.
extension Operand {
  /// The entry `name`; of an optional, an optional.
  func selecting(
    _ name: String, at range: SourceRange, spelling: @autoclosure () -> String? = nil
  ) throws(Failure) -> Operand {
    switch self {
    case .value(.map(let map)):
      if let value = map[name] { return .value(value) }
    case .container(let container) where !container.isList:
      if let found = try Self.member(name, of: container, at: range) { return found }
    case .optional, .value(.optional):
      return try optionallySelecting(.string(name), at: range)
    default:
      throw notHolding("members", at: range, spelling())
    }
    throw missing(name, at: range, spelling())
  }

  /// The entry or element at `key`; of an optional, an optional.
  func indexed(
    _ key: Value, at range: SourceRange, spelling: @autoclosure () -> String?
  ) throws(Failure) -> Operand {
    switch self {
    case .optional, .value(.optional): return try optionallySelecting(key, at: range)
    case .value(.list), .container:
      if let found = try held(at: key, range) { return found }
    case .value(.map(let map)):
      if let found = map.entry(key) { return .value(found) }
    default: throw notHolding("elements", at: range, spelling())
    }
    if case .string(let name) = key, typeName == "map" {
      throw missing(name, at: range, spelling()).quoting
    }
    let shown = key.shortText
    throw Failure(
      typeName == "map"
        ? "there is no key \(shown)" : "the index \(shown) is out of range", at: range
    ).quoting
  }

  /// The entry or element at `key` as an optional, empty where there is none.
  func optionallySelecting(_ key: Value, at range: SourceRange) throws(Failure) -> Operand {
    let inner: Operand
    switch self {
    case .value(.optional(nil)): return self
    case .value(.optional(let value?)): inner = .value(value)
    case .optional(let container): inner = .container(container)
    default: inner = self
    }
    switch try inner.held(at: key, range) {
    case .value(let value)?: return .value(.optional(value))
    case .container(let container)?: return .optional(container)
    case .optional(let container)?: return .value(.optional(.optional(try Self.whole(container))))
    case nil: return .value(.optional(nil))
    }
  }

  private static func whole(_ container: any Container) throws(Failure) -> Value {
    try Operand.container(container).whole()
  }

  /// What a map or list holds at `key`, or nil where there is nothing.
  private func held(at key: Value, _ range: SourceRange) throws(Failure) -> Operand? {
    switch self {
    case .value(.map(let map)): return map.entry(key).map(Operand.value)
    case .value(.list(let list)):
      let position = try Self.position(key, at: range)
      return list.indices.contains(position) ? .value(list[position]) : nil
    case .container(let container) where container.isList:
      let position = try Self.position(key, at: range)
      do {
        return try container.element(position).map(Operand.init)
      } catch {
        throw Failure(reading: error).placed(at: range)
      }
    case .container(let container):
      guard case .string(let name) = key else { return nil }
      return try Self.member(name, of: container, at: range)
    default: throw notHolding("members", at: range, nil)
    }
  }

  private static func member(
    _ name: String, of container: any Container, at range: SourceRange
  ) throws(Failure) -> Operand? {
    do {
      return try container.member(name).map(Operand.init)
    } catch {
      throw Failure(reading: error).placed(at: range)
    }
  }

  /// The position a list index names: an integer of any kind.
  private static func position(_ key: Value, at range: SourceRange) throws(Failure) -> Int {
    let position: Int?
    switch key {
    case .int(let index): position = Int(exactly: index)
    case .uint(let index): position = Int(clamping: index)
    case .double(let index): position = Int(exactly: index)
    default: position = nil
    }
    guard let position else {
      throw Failure("a list index is a whole number, not \(key.typePhrase)", at: range)
    }
    return position
  }

  @inline(never)
  private func notHolding(
    _ parts: String, at range: SourceRange, _ spelling: String?
  ) -> Failure {
    let name = spelling.map { "'\($0)'" } ?? "the value"
    return Failure("\(name) is \(typePhrase(typeName)) and has no \(parts)", at: range)
  }

  @inline(never)
  private func missing(_ name: String, at range: SourceRange, _ spelling: String?) -> Failure {
    let place = spelling.map { " in '\($0)'" } ?? ""
    return Failure("there is no '\(name)'\(place)", missing: name, at: range)
  }
}

extension Value {
  /// A short form for messages about keys and indices.
  var shortText: String {
    switch self {
    case .int(let value): "\(value)"
    case .uint(let value): "\(value)u"
    case .bool(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): "'\(value.prefix(60))'"
    default: "of type \(typeName)"
    }
  }
}
