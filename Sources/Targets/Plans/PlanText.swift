public import SettledValues

extension Plan {
  /// The plan as people read it: every step with its reasons and the difference it makes.
  public var text: String {
    if isEmpty { return "nothing to do\n" }
    return (files.map(\.text) + actions.map(\.line)).joined(separator: "\n")
  }

  /// The plan as programs read it.
  public var value: Value {
    [
      "version": 1, "files": .list(files.map(\.value)), "actions": .list(actions.map(\.value)),
    ]
  }
}

extension ActionStep {
  fileprivate var line: String {
    "\(action.text) (for \(targets.joined(separator: ", ")))".printable + "\n" + reasons.line
  }

  fileprivate var value: Value {
    [
      "action": .string(action.text), "targets": .list(targets.map { .string($0) }),
      "reasons": reasons.value,
    ]
  }
}

extension FileStep {
  fileprivate var value: Value {
    [
      "target": .string(desired.target), "change": .string(change.rawValue),
      "file": .string(desired.path), "reasons": reasons.value,
    ]
  }
}

extension [Reason] {
  /// The reasons on a line of their own; nothing for none.
  var line: String { isEmpty ? "" : "  \(text.printable)\n" }

  var value: Value { .list(map { .string($0.description) }) }
}
