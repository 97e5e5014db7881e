internal import SettledObserving
internal import SettledValues

/// The least and the greatest value of a setting: a range that is closed or open at one end.
public protocol SettingLimits<Bound> {
  /// What is limited.
  associatedtype Bound: SettingValue & Comparable
  /// The least value, nil where there is none.
  var least: Bound? { get }
  /// The greatest value, nil where there is none.
  var greatest: Bound? { get }
}

extension ClosedRange: SettingLimits where Bound: SettingValue {
  /// The lower bound.
  public var least: Bound? { lowerBound }
  /// The upper bound.
  public var greatest: Bound? { upperBound }
}

extension PartialRangeFrom: SettingLimits where Bound: SettingValue {
  /// The lower bound.
  public var least: Bound? { lowerBound }
  /// Nil.
  public var greatest: Bound? { nil }
}

extension PartialRangeThrough: SettingLimits where Bound: SettingValue {
  /// Nil.
  public var least: Bound? { nil }
  /// The upper bound.
  public var greatest: Bound? { upperBound }
}

/// What a value of a setting must be beside its type.
@ObservingActor
struct SettingRule<Value: SettingValue> {
  /// Refuses a value that is not what it must be.
  var check: @ObservingActor (Value, SettingNode) throws(Refusal) -> Void
  /// Adds the rule to a schema.
  var restrict: @ObservingActor (inout ValueMap) -> Void = { _ in }
  /// The rule in words.
  var text: String?

  /// Creates a rule from what a value must be, nil where it is.
  init(expected: @escaping @ObservingActor (Value) -> String?) {
    check = { value, node throws(Refusal) in
      if let expected = expected(value) { throw node.mismatch(expected) }
    }
  }

  init<Limits: SettingLimits>(_ limits: Limits) where Limits.Bound == Value {
    self.init(expected: { limits.expected(of: $0) })
    restrict = { $0.limit(limits, least: "minimum", greatest: "maximum") }
    text = limits.text
  }

  init<Limits: SettingLimits<Int>>(count limits: Limits) where Value: Collection {
    let isText = Value.self == String.self
    let unit = isText ? "characters" : "entries"
    check = { value, node throws(Refusal) in
      let count = value.count
      guard let expected = limits.expected(of: count) else { return }
      throw node.refusal("must have \(expected) \(unit), not \(count)")
    }
    restrict = { schema in
      let isMap = schema["type"] == "object"
      let kind = isText ? "Length" : isMap ? "Properties" : "Items"
      schema.limit(limits, least: "min" + kind, greatest: "max" + kind, isCount: true)
    }
    text = limits.text.map { "\($0) \(unit)" }
  }

  /// The rule for a value that may be missing.
  var optional: SettingRule<Value?> {
    var rule = SettingRule<Value?>(expected: { _ in nil })
    rule.check = { [check] value, node throws(Refusal) in
      if let value { try check(value, node) }
    }
    rule.restrict = { [restrict] schema in
      guard case .list(var forms)? = schema["anyOf"], case .map(var form)? = forms.first else {
        return
      }
      restrict(&form)
      forms[0] = .map(form)
      schema["anyOf"] = .list(forms)
    }
    rule.text = text
    return rule
  }

  /// Reads the value in a slot; nil where nothing is set, and with a fault.
  func read(_ slot: Slot, _ faults: inout [Diagnostic]) -> Value? {
    guard let node = slot.node else { return nil }
    do throws(Refusal) {
      let value = try Value.read(node)
      try check(value, node)
      return value
    } catch {
      faults += error.diagnostics
      return nil
    }
  }
}

extension SettingLimits {
  /// What a value must be, or nil where it is.
  @ObservingActor
  fileprivate func expected(of value: Bound) -> String? {
    if let least, value < least { return "at least \(Self.shown(least))" }
    if let greatest, value > greatest { return "at most \(Self.shown(greatest))" }
    return nil
  }

  /// The limits in words.
  @ObservingActor
  fileprivate var text: String? {
    switch (least, greatest) {
    case (let least?, let greatest?): "\(Self.shown(least)) to \(Self.shown(greatest))"
    case (let least?, nil): "at least \(Self.shown(least))"
    case (nil, let greatest?): "at most \(Self.shown(greatest))"
    case (nil, nil): nil
    }
  }

  @ObservingActor
  private static func shown(_ bound: Bound) -> String { bound.written.text ?? "\(bound)" }
}

extension ValueMap {
  /// Adds limits under these keywords, where the schema speaks of numbers or of a count.
  @ObservingActor
  fileprivate mutating func limit(
    _ limits: some SettingLimits, least: String, greatest: String, isCount: Bool = false
  ) {
    guard isCount || self["type"] == "integer" || self["type"] == "number" else { return }
    if let bound = limits.least { self[.string(least)] = bound.written }
    if let bound = limits.greatest { self[.string(greatest)] = bound.written }
  }
}
