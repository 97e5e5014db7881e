public import SettledObserving
public import SettledValues

/// Where a setting is looked for: a path, and what stands there.
struct Slot {
  let settings: Settings
  /// The path of what it is in, and its own step; a path is made only for who asks.
  private let parent: Path
  private let step: String?
  /// Nil where nothing is set.
  let node: SettingNode?

  init(settings: Settings, path: Path, node: SettingNode?, step: String? = nil) {
    self.settings = settings
    self.node = node
    parent = path
    self.step = step
  }

  var path: Path { step.map { parent.appending($0) } ?? parent }

  /// Looks for `name` below, where the path of this is known.
  func member(_ name: String, of path: Path, isSecret: Bool) -> Slot {
    var member = node?.member(name, of: path)
    if isSecret { member?.isSecret = true }
    return Slot(settings: settings, path: path, node: member, step: name)
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

  /// What stands below a slot for each setting, in their order; nothing, with a fault, where there is
  /// no map.
  private func members(_ slot: Slot, _ faults: inout [Diagnostic]) -> [Slot] {
    if let node = slot.node {
      do { _ = try node.requireMap() } catch {
        faults += error.diagnostics
        return []
      }
    }
    var found = 0
    let path = slot.path
    let members = settings.indices.map { index in
      let member = slot.member(
        settings[index].name, of: path, isSecret: settings[index].isSecret)
      if member.node != nil {
        found += 1
      } else if settings[index].isRequired {
        faults.append(slot.settings.fault("'\(member.path)' must be set", at: slot.path))
      }
      return member
    }
    if !Owner.ignoresUnknownSettings, let node = slot.node, found != node.count {
      faults += node.unknownKeys(besides: names)
    }
    return members
  }

  /// Makes a record of what stands in a slot.
  func record(_ slot: Slot) throws(Refusal) -> Owner {
    var record = defaults
    var faults: [Diagnostic] = []
    for (index, member) in members(slot, &faults).enumerated() {
      settings[index].fill(&record, member, &faults)
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
    for (index, member) in members(slot, &changes.faults).enumerated() {
      settings[index].stage(owner, defaults, member, &changes)
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
