public import SettledObserving
internal import SettledValues

/// A property that is a setting: its name, limits and what it is for.
@ObservingActor
public struct Setting<Owner: SettingsDeclaring> {
  /// The name, a key of the map that the owner is read from.
  public let name: String
  /// What it is for, for people who write it.
  public let doc: String
  /// Whether it must be set.
  public let isRequired: Bool
  /// Whether no message, schema or document may show its value.
  public let isSecret: Bool

  /// Finds what is to be changed in a model; the defaults are those of the second.
  let stage: @ObservingActor (Owner, Owner, Slot, inout SettingsChanges) -> Void
  /// Sets the property of a record.
  let fill: @ObservingActor (inout Owner, Slot, inout [Diagnostic]) -> Void
  /// The schema of what may be written.
  let schema: @ObservingActor (Owner) -> ValueMap
  /// The property's value as it is written.
  let written: @ObservingActor (Owner) -> Value
  /// The limits in words.
  let limits: String?
  /// The lines of the commented file for a nested model.
  var nestedReference: (@ObservingActor (Owner, Int) -> String)?

  /// Declares a property that holds a value.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - property: the property.
  ///   - doc: what it is for.
  ///   - isRequired: whether it must be set.
  ///   - isSecret: whether no message, schema or document may show its value.
  ///   - needsRestart: whether a reload leaves it as it is, and says so.
  ///   - check: what a value must be, in words such as `an absolute path`, or nil where it is.
  public init<Value: SettingValue>(
    _ name: String, _ property: WritableKeyPath<Owner, Value>, doc: String = "",
    isRequired: Bool = false, isSecret: Bool = false, needsRestart: Bool = false,
    check: @escaping @ObservingActor (Value) -> String? = { _ in nil }
  ) {
    self.init(
      name, property, doc: doc, isRequired: isRequired, isSecret: isSecret,
      needsRestart: needsRestart, SettingRule<Value>(expected: check))
  }

  /// Declares a property that holds a value within limits.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - property: the property.
  ///   - limits: the least and the greatest value: `1...65_535`, `1...` or `...9`.
  ///   - doc: what it is for.
  ///   - isRequired: whether it must be set.
  ///   - isSecret: whether no message, schema or document may show its value.
  ///   - needsRestart: whether a reload leaves it as it is, and says so.
  public init<Limits: SettingLimits>(
    _ name: String, _ property: WritableKeyPath<Owner, Limits.Bound>, in limits: Limits,
    doc: String = "", isRequired: Bool = false, isSecret: Bool = false, needsRestart: Bool = false
  ) {
    self.init(
      name, property, doc: doc, isRequired: isRequired, isSecret: isSecret,
      needsRestart: needsRestart, SettingRule(limits))
  }

  /// Declares a property that holds a value within limits, or none.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - property: the property.
  ///   - limits: the least and the greatest value: `1...65_535`, `1...` or `...9`.
  ///   - doc: what it is for.
  ///   - isRequired: whether it must be set.
  ///   - isSecret: whether no message, schema or document may show its value.
  ///   - needsRestart: whether a reload leaves it as it is, and says so.
  public init<Limits: SettingLimits>(
    _ name: String, _ property: WritableKeyPath<Owner, Limits.Bound?>, in limits: Limits,
    doc: String = "", isRequired: Bool = false, isSecret: Bool = false, needsRestart: Bool = false
  ) {
    self.init(
      name, property, doc: doc, isRequired: isRequired, isSecret: isSecret,
      needsRestart: needsRestart, SettingRule(limits).optional)
  }

  /// Declares a property that holds a text, list or map of so many characters or entries.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - property: the property.
  ///   - count: how many there may be.
  ///   - doc: what it is for.
  ///   - isRequired: whether it must be set.
  ///   - isSecret: whether no message, schema or document may show its value.
  ///   - needsRestart: whether a reload leaves it as it is, and says so.
  public init<Value: SettingValue & Collection, Limits: SettingLimits<Int>>(
    _ name: String, _ property: WritableKeyPath<Owner, Value>, count: Limits,
    doc: String = "", isRequired: Bool = false, isSecret: Bool = false, needsRestart: Bool = false
  ) {
    self.init(
      name, property, doc: doc, isRequired: isRequired, isSecret: isSecret,
      needsRestart: needsRestart, SettingRule(count: count))
  }

  private init<Value: SettingValue>(
    _ name: String, _ property: WritableKeyPath<Owner, Value>, doc: String,
    isRequired: Bool, isSecret: Bool, needsRestart: Bool, _ rule: SettingRule<Value>
  ) {
    self.name = name
    self.doc = doc
    self.isRequired = isRequired
    self.isSecret = isSecret
    limits = rule.text
    stage = { owner, defaults, slot, changes in
      let read = rule.read(slot, &changes.faults)
      let value = slot.node == nil ? defaults[keyPath: property] : read
      guard let value, owner[keyPath: property] != value else { return }
      if needsRestart, changes.isReload { return changes.addRestart(slot, isSecret) }
      changes.add(slot.path) {
        var owner = owner
        owner[keyPath: property] = value
      }
    }
    fill = { record, slot, faults in
      if let value = rule.read(slot, &faults) { record[keyPath: property] = value }
    }
    schema = { defaults in
      var schema = Value.schema
      rule.restrict(&schema)
      if !isRequired, !isSecret { schema["default"] = defaults[keyPath: property].written }
      return schema
    }
    written = { $0[keyPath: property].written }
  }

  /// Declares a property that holds other models or none.
  init(
    _ name: String, doc: String, isRequired: Bool,
    stage: @escaping @ObservingActor (Owner, Owner, Slot, inout SettingsChanges) -> Void,
    schema: @escaping @ObservingActor (Owner) -> ValueMap
  ) {
    self.name = name
    self.doc = doc
    self.isRequired = isRequired
    self.stage = stage
    self.schema = schema
    isSecret = false
    limits = nil
    fill = { _, _, _ in }
    written = { _ in [:] }
  }
}
