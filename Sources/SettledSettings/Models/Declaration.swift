public import SettledObserving
public import SettledValues

/// Where a setting is looked for: a path, and what stands there.
struct Slot {
  var settings: Settings
  var path: Path
  /// Nil where nothing is set.
  var node: SettingNode?

  /// Looks for `name` below.
  func member(_ name: String, isSecret: Bool) -> Slot {
    var member = node?.member(name)
    if isSecret { member?.isSecret = true }
    return Slot(settings: settings, path: member?.path ?? path.appending(name), node: member)
  }
}

/// The settings of a type, and the values they have where nothing is set.
@ObservingActor
final class Declaration<Owner: SettingsDeclaring> {
  let settings: [Setting<Owner>]
  let defaults: Owner
  private let names: [String]

  fileprivate init() {
    settings = Owner.settings
    defaults = Owner()
    names = settings.map(\.name)
    precondition(
      Set(names).count == names.count, "\(Owner.self) declares a setting of one name twice")
  }

  /// The settings below a slot; nil with a fault where there is no map.
  private func members(
    _ slot: Slot, _ faults: inout [Diagnostic]
  ) -> [(setting: Setting<Owner>, slot: Slot)]? {
    if let node = slot.node {
      do { _ = try node.requireMap() } catch {
        faults += error.diagnostics
        return nil
      }
    }
    let members = settings.map {
      (setting: $0, slot: slot.member($0.name, isSecret: $0.isSecret))
    }
    for (setting, member) in members where setting.isRequired && member.node == nil {
      faults.append(slot.settings.fault("'\(member.path)' must be set", at: slot.path))
    }
    let found = members.count { $0.slot.node != nil }
    if !Owner.ignoresUnknownSettings, let node = slot.node, found != node.count {
      faults += node.unknownKeys(besides: names)
    }
    return members
  }

  /// Makes a record of what stands in a slot.
  func record(_ slot: Slot) throws(Refusal) -> Owner {
    var record = defaults
    var faults: [Diagnostic] = []
    for member in members(slot, &faults) ?? [] {
      member.setting.fill(&record, member.slot, &faults)
    }
    guard faults.isEmpty else { throw Refusal(faults) }
    return record
  }
}

extension Declaration where Owner: SettingsModel {
  /// Finds what is to be changed in a model.
  func stage(
    _ owner: Owner, defaults: Owner, _ slot: Slot, into changes: inout SettingsChanges
  ) {
    for member in members(slot, &changes.faults) ?? [] {
      member.setting.stage(owner, defaults, member.slot, &changes)
    }
  }

  /// Makes a new model of what stands in a slot.
  func model(_ slot: Slot, _ faults: inout [Diagnostic]) -> Owner {
    let model = Owner()
    var changes = SettingsChanges(isReload: false)
    stage(model, defaults: defaults, slot, into: &changes)
    faults += changes.faults
    changes.apply()
    return model
  }
}

/// The declarations that were asked for, each made once.
@ObservingActor private var declarations: [ObjectIdentifier: AnyObject] = [:]

extension Declaration {
  /// The declaration of a type.
  static func of(_ type: Owner.Type) -> Declaration {
    let key = ObjectIdentifier(type)
    if let known = declarations[key] as? Declaration { return known }
    let declaration = Declaration()
    declarations[key] = declaration
    return declaration
  }
}

extension SettingNode {
  /// Refuses what is no map.
  fileprivate func requireMap() throws(Refusal) {
    guard node.kind == .map else { throw mismatch("a map") }
  }
}

@ObservingActor
extension SettingsRecord {
  /// Reads a record, with all that is wrong with it.
  public static func read(_ node: SettingNode) throws(Refusal) -> Self {
    try Declaration.of(Self.self).record(
      Slot(settings: node.settings, path: node.path, node: node))
  }

  /// The settings, by their names.
  public var written: Value {
    .map(
      ValueMap(
        Self.settings.map { setting in
          (key: .string(setting.name), value: setting.written(self))
        }))
  }
}
