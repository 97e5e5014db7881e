import SettledValues

/// The local names that an expression may use, with the slots that hold their values.
package struct Scope: Sendable {
  /// What a local name stands for.
  package struct Local: Sendable {
    var name: String
    var slot: Int
    /// Whether it may not have been set when it is read; then the name means what it meant before.
    var mayBeUnset: Bool
    /// The depth to which expressions nested the lists and maps of its value, at most.
    var depth: Int
    /// Whether it is the `loop` of a template, made from two slots when it is read.
    var isLoop: Bool
  }

  private(set) var locals: [Local] = []
  /// The number of slots that all its names, also those that ended, take.
  package private(set) var slotCount = 0

  /// Creates a scope without names.
  package init() {}

  /// Adds a name, which hides others of the same name; gives its slot.
  package mutating func add(
    _ name: String, depth: Int, mayBeUnset: Bool = false
  ) -> Int {
    locals.append(
      Local(
        name: name, slot: slotCount, mayBeUnset: mayBeUnset, depth: depth, isLoop: false))
    slotCount += 1
    return slotCount - 1
  }

  /// Adds the name of a template's loop; its two slots hold the position and the count.
  package mutating func addLoop(_ name: String) -> Int {
    locals.append(Local(name: name, slot: slotCount, mayBeUnset: false, depth: 0, isLoop: true))
    slotCount += 2
    return slotCount - 2
  }

  /// The number of names, to come back to.
  package var depth: Int { locals.count }

  /// Ends the names that were added since there were `depth`.
  package mutating func leave(to depth: Int) {
    locals.removeLast(locals.count - depth)
  }

  /// The position of the innermost local with this name, below `end`.
  func position(of name: String, below end: Int? = nil) -> Int? {
    locals[..<(end ?? locals.count)].lastIndex { $0.name.hasSameBytes(as: name) }
  }
}
