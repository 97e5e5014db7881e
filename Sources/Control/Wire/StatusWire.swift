public import SettledValues

extension Status {
  /// The status as the reply of `GetStatus`, which is what `settlectl status --json` prints.
  public var wire: ValueMap {
    [
      "version": .int(Self.version), "state": .string(state.rawValue),
      "generation": .int(generation), "since": .string(since.description),
      "summary": .string(summary), "last_reload": lastReload.map { .map($0.wire) } ?? .null,
      "targets": .list(targets.map { .map($0.wire) }), "inputs": .int(inputs),
      "warnings": .list(warnings.map { .string($0) }),
      "next_try": nextTry.map { .string($0.description) } ?? .null,
    ]
  }

  /// The status as the reply of `Wait`.
  var waitWire: ValueMap {
    [
      "state": .string(state.rawValue), "generation": .int(generation),
      "summary": .string(summary),
    ]
  }

  /// Reads the reply of `GetStatus`.
  public init(wire: ValueMap) throws(WireFault) {
    let fields = Fields(wire)
    self.init(
      state: try fields.word("state"), generation: try fields.integer("generation"),
      since: try fields.instant("since"), summary: try fields.text("summary"),
      targets: try fields.list("targets") { value throws(WireFault) in
        try Target(wire: value)
      })
    // Fields of later programs; none where the daemon is older.
    inputs = try fields.optionalInteger("inputs") ?? 0
    if case .list(let texts)? = fields.optional("warnings") { warnings = texts.compactMap(\.text) }
    if fields.optional("next_try") != nil { nextTry = try fields.instant("next_try") }
    if let verdict = fields.optional("last_reload") {
      lastReload = try Verdict(Fields(verdict, "last_reload"))
    }
  }
}

extension Status.Target {
  var wire: ValueMap {
    [
      "name": .string(name), "file": Value(file), "state": .string(state.rawValue),
      "reason": Value(reason),
    ]
  }

  init(wire: Value) throws(WireFault) {
    let fields = try Fields(wire, "targets")
    self.init(
      name: try fields.text("name"), file: try fields.optionalText("file"),
      state: try fields.word("state"), reason: try fields.optionalText("reason"))
  }
}

extension Verdict {
  /// The verdict as the reply of `Reload`.
  public var wire: ValueMap {
    [
      "generation": .int(generation), "outcome": .string(outcome.rawValue),
      "at": .string(at.description), "diagnostics": .list(diagnostics.map { .map($0.wire) }),
    ]
  }

  /// Reads the reply of `Reload`.
  public init(wire: ValueMap) throws(WireFault) {
    try self.init(Fields(wire))
  }

  init(_ fields: Fields) throws(WireFault) {
    self.init(
      generation: try fields.integer("generation"), outcome: try fields.word("outcome"),
      at: try fields.instant("at"),
      diagnostics: try fields.list("diagnostics") { value throws(WireFault) in
        try Diagnostic(wire: value)
      })
  }
}
