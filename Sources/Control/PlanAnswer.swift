public import SettledValues

/// What a reload would do, as a daemon sees it.
public struct PlanAnswer: Sendable, Hashable {
  /// What was found in the inputs.
  public var diagnostics: [Diagnostic]
  /// Whether the inputs would be refused; there is no plan then.
  public var isRefused: Bool
  /// Whether something would be done.
  public var hasChanges: Bool
  /// The plan as people read it.
  public var text: String
  /// The plan as programs read it.
  public var plan: Value

  /// Creates an answer.
  public init(
    diagnostics: [Diagnostic], isRefused: Bool, hasChanges: Bool = false, text: String = "",
    plan: Value = [:]
  ) {
    self.diagnostics = diagnostics
    self.isRefused = isRefused
    self.hasChanges = hasChanges
    self.text = text
    self.plan = plan
  }
}

extension PlanAnswer {
  /// The answer as the reply of `Plan`.
  public var wire: ValueMap {
    [
      "refused": .bool(isRefused), "changes": .bool(hasChanges), "text": .string(text),
      "plan": plan, "diagnostics": .list(diagnostics.map { .map($0.wire) }),
    ]
  }

  /// Reads the reply of `Plan`.
  public init(wire: ValueMap) throws(WireFault) {
    let fields = Fields(wire)
    self.init(
      diagnostics: try fields.list("diagnostics") { value throws(WireFault) in
        try Diagnostic(wire: value)
      }, isRefused: try fields.value("refused") == true,
      hasChanges: try fields.value("changes") == true, text: try fields.text("text"),
      plan: try fields.value("plan"))
  }
}
