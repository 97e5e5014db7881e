public import SettledValues

extension HistoryEntry {
  /// The entry as the reply of `GetHistory` and the state directory hold it.
  public var wire: ValueMap {
    [
      "generation": .int(generation), "at": .string(at.description),
      "cause": .string(cause.rawValue), "outcome": .string(outcome.rawValue),
      "duration": .double(duration.secondsWithFraction), "paths": .list(paths.map { .string($0) }),
      "derived": .list(derived.map { .string($0) }),
      "inputs": .list(inputs.map { .string($0) }), "steps": .list(steps.map { .map($0.wire) }),
      "actions": .list(actions.map { .map($0.wire) }),
      "findings": .list(findings.map { .string($0) }), "cut": .bool(isCut),
    ]
  }

  /// Reads an entry.
  public init(wire: Value) throws(WireFault) {
    let fields = try Fields(wire, "entries")
    self.init(
      generation: try fields.integer("generation"), at: try fields.instant("at"),
      cause: try fields.word("cause"), outcome: try fields.word("outcome"),
      duration: try fields.duration("duration"))
    paths = try fields.texts("paths")
    // A history that was written before there was this field has none.
    derived = fields.optional("derived") == nil ? [] : try fields.texts("derived")
    inputs = try fields.texts("inputs")
    steps = try fields.list("steps") { value throws(WireFault) in try Step(wire: value) }
    actions = try fields.list("actions") { value throws(WireFault) in try Act(wire: value) }
    findings = try fields.texts("findings")
    isCut = fields.optional("cut") == true
  }
}

extension HistoryEntry.Step {
  fileprivate var wire: ValueMap {
    [
      "target": .string(target), "file": .string(file), "change": .string(change),
      "reason": .string(reason),
    ]
  }

  fileprivate init(wire: Value) throws(WireFault) {
    let fields = try Fields(wire, "steps")
    self.init(
      target: try fields.text("target"), file: try fields.text("file"),
      change: try fields.text("change"), reason: try fields.text("reason"))
  }
}

extension HistoryEntry.Act {
  fileprivate var wire: ValueMap {
    [
      "action": .string(action), "targets": .list(targets.map { .string($0) }),
      "outcome": .string(outcome.rawValue), "reason": .string(reason),
    ]
  }

  fileprivate init(wire: Value) throws(WireFault) {
    let fields = try Fields(wire, "actions")
    self.init(
      action: try fields.text("action"), targets: try fields.texts("targets"),
      outcome: try fields.word("outcome"), reason: try fields.text("reason"))
  }
}

extension Fields {
  fileprivate func texts(_ name: String) throws(WireFault) -> [String] {
    try list(name) { value throws(WireFault) in
      guard case .string(let text) = value else { throw WireFault(name) }
      return text
    }
  }

  fileprivate func duration(_ name: String) throws(WireFault) -> Duration {
    switch try value(name) {
    case .double(let seconds): .seconds(seconds)
    case .int(let seconds): .seconds(seconds)
    default: throw WireFault(name)
    }
  }
}

extension Duration {
  fileprivate var secondsWithFraction: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
