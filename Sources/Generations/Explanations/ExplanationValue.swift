public import SettledValues

extension Explanation {
  /// The explanation as programs read it.
  public var wire: ValueMap {
    [
      "version": 1, "kind": .string(kind.rawValue), "name": .string(name),
      "description": text(description),
      "value": value ?? .null, "place": place.map { .map($0.wire) } ?? .null,
      "layers": .list(mentions.map { .map($0.wire) }), "expression": text(expression),
      "reads": .list(reads.map { .string($0) }), "readers": .list(readers.map { .map($0.wire) }),
      "file": text(file), "actions": .list(actions.map { .string($0) }), "state": text(state),
      "reason": text(reason), "ran": text(ran), "changed": changed.map { .map($0.wire) } ?? .null,
    ]
  }

  /// Reads an explanation back; nil for what is none.
  public init?(wire: Value) {
    guard let kind = wire["kind"]?.text.flatMap(Kind.init), let name = wire["name"]?.text else {
      return nil
    }
    self.init(kind, name)
    description = wire["description"]?.string
    if let value = wire["value"], value != .null { self.value = value }
    place = wire["place"].flatMap(Place.init(wire:))
    mentions = wire.list("layers").compactMap(Mention.init(wire:))
    expression = wire["expression"]?.string
    reads = wire.list("reads").compactMap(\.text)
    readers = wire.list("readers").compactMap(Reader.init(wire:))
    file = wire["file"]?.string
    actions = wire.list("actions").compactMap(\.text)
    state = wire["state"]?.string
    reason = wire["reason"]?.string
    ran = wire["ran"]?.string
    changed = wire["changed"].flatMap(Change.init(wire:))
  }

  private func text(_ text: String?) -> Value { text.map { .string($0) } ?? .null }
}

extension Explanation.Mention {
  fileprivate var wire: ValueMap {
    [
      "origin": .string(origin), "place": .map(place.wire), "path": .string(path),
      "value": value ?? .null, "in_force": .bool(isInForce),
    ]
  }

  fileprivate init?(wire: Value) {
    guard let place = wire["place"].flatMap(Place.init(wire:)) else { return nil }
    origin = wire["origin"]?.text ?? ""
    self.place = place
    path = wire["path"]?.text ?? ""
    value = wire["value"].flatMap { $0 == .null ? nil : $0 }
    isInForce = wire["in_force"] == true
  }
}

extension Explanation.Reader {
  fileprivate var wire: ValueMap {
    [
      "kind": .string(kind.rawValue), "name": .string(name),
      "through": .list(through.map { .string($0) }),
    ]
  }

  fileprivate init?(wire: Value) {
    guard let kind = wire["kind"]?.text.flatMap(Explanation.Kind.init),
      let name = wire["name"]?.text
    else { return nil }
    self.init(kind: kind, name: name, through: wire.list("through").compactMap(\.text))
  }
}

extension Explanation.Change {
  fileprivate var wire: ValueMap {
    [
      "generation": .int(generation), "at": .string(at.description), "is_change": .bool(isChange),
      "cause": cause.map { .string($0) } ?? .null, "inputs": .list(inputs.map { .string($0) }),
    ]
  }

  fileprivate init?(wire: Value) {
    guard case .int(let generation)? = wire["generation"],
      let at = wire["at"]?.text.flatMap({ Timestamp($0) })
    else { return nil }
    self.init(
      generation: generation, at: at, isChange: wire["is_change"] == true,
      cause: wire["cause"]?.string, inputs: wire.list("inputs").compactMap(\.text))
  }
}

extension Place {
  fileprivate init?(wire: Value) {
    guard let file = wire["file"]?.text else { return nil }
    func number(_ key: String) -> Int {
      if case .int(let number)? = wire[key] { Int(clamping: number) } else { 0 }
    }
    self.init(file: file, line: number("line"), column: number("column"))
  }
}

extension Value {
  /// The value of a key where this is a map that has it.
  subscript(key: String) -> Value? {
    if case .map(let map) = self { map[key] } else { nil }
  }

  /// The elements of a list in a map; none where there is no list.
  func list(_ key: String) -> [Value] {
    if case .list(let elements)? = self[key] { elements } else { [] }
  }

  /// The text of a string.
  fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }
}
