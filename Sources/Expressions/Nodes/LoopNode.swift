import SettledValues

/// The `loop` of a template, or one of its members, from the position and count in two slots.
final class LoopNode: Node {
  /// The members, as Jinja2 names them.
  enum Field: String, CaseIterable, Sendable {
    case index
    case index0
    case revindex
    case revindex0
    case first
    case last
    case length
  }

  let range: SourceRange
  private let field: Field?
  private let slot: Int

  init(_ field: Field?, slot: Int, at range: SourceRange) {
    self.field = field
    self.slot = slot
    self.range = range
  }

  func value(_ frame: inout Frame) throws(Failure) -> Value {
    guard case .value(.int(let position))? = frame.slots[slot],
      case .value(.int(let count))? = frame.slots[slot + 1]
    else { throw Failure("there is no loop", at: range) }
    if let field { return Self.value(of: field, position, count) }
    return .map(
      ValueMap(
        Field.allCases.map {
          (key: .string($0.rawValue), value: Self.value(of: $0, position, count))
        }))
  }

  private static func value(of field: Field, _ position: Int64, _ count: Int64) -> Value {
    switch field {
    case .index: .int(position + 1)
    case .index0: .int(position)
    case .revindex: .int(count - position)
    case .revindex0: .int(count - position - 1)
    case .first: .bool(position == 0)
    case .last: .bool(position == count - 1)
    case .length: .int(count)
    }
  }
}
