internal import SettledObserving
internal import SettledValues

extension Setting where Owner: SettingsModel {
  /// Declares a property that holds another model, whose instance stays the same.
  ///
  /// Its defaults are those that it has in a new instance of the owner.
  ///
  /// - Parameters:
  ///   - name: the name of the map that it is read from.
  ///   - property: the property.
  ///   - doc: what it is for.
  public init<Nested: SettingsModel>(
    _ name: String, _ property: KeyPath<Owner, Nested>, doc: String = ""
  ) {
    self.init(
      name, doc: doc, isRequired: false,
      stage: { owner, defaults, slot, changes in
        Declaration.of(Nested.self).stage(
          owner[keyPath: property], defaults: defaults[keyPath: property], slot, into: &changes)
      },
      schema: { Declaration.of(Nested.self).schema(defaults: $0[keyPath: property]) })
    nestedReference = { defaults, indent in
      Declaration.of(Nested.self).reference(defaults: defaults[keyPath: property], indent: indent)
    }
  }

  /// Declares a property that holds another model, or nil where nothing is set.
  ///
  /// - Parameters:
  ///   - name: the name of the map that it is read from.
  ///   - property: the property.
  ///   - doc: what it is for.
  ///   - isRequired: whether it must be set.
  public init<Nested: SettingsModel>(
    _ name: String, _ property: WritableKeyPath<Owner, Nested?>, doc: String = "",
    isRequired: Bool = false
  ) {
    self.init(
      name, doc: doc, isRequired: isRequired,
      stage: { owner, _, slot, changes in
        let nested = Declaration.of(Nested.self)
        if slot.node != nil, let model = owner[keyPath: property] {
          return nested.stage(model, defaults: nested.defaults, slot, into: &changes)
        }
        guard (slot.node == nil) != (owner[keyPath: property] == nil) else { return }
        let model = slot.node == nil ? nil : nested.model(slot, &changes.faults)
        changes.add(slot.path) {
          var owner = owner
          owner[keyPath: property] = model
        }
      },
      schema: { _ in
        let nested = Declaration.of(Nested.self)
        return nested.schema(defaults: nested.defaults)
      })
  }

  /// Declares a property that holds a model for each entry of a map; none where nothing is set.
  ///
  /// An entry that stays keeps its instance.
  ///
  /// - Parameters:
  ///   - name: the name of the map that it is read from.
  ///   - property: the property.
  ///   - doc: what it is for.
  ///   - isRequired: whether it must be set.
  public init<Nested: SettingsModel>(
    _ name: String, _ property: WritableKeyPath<Owner, [String: Nested]>, doc: String = "",
    isRequired: Bool = false
  ) {
    self.init(
      name, doc: doc, isRequired: isRequired,
      stage: { owner, _, slot, changes in
        let former = owner[keyPath: property]
        let models = Declaration.of(Nested.self).models(slot, former, &changes)
        guard models.count != former.count || models.contains(where: { former[$0.key] == nil })
        else { return }
        changes.add(slot.path) {
          var owner = owner
          owner[keyPath: property] = models
        }
      },
      schema: { _ in
        let nested = Declaration.of(Nested.self)
        let schema = nested.schema(defaults: nested.defaults)
        return ["type": "object", "additionalProperties": .map(schema)]
      })
  }
}

extension Declaration where Owner: SettingsModel {
  /// The models of a map: those there are already, with their changes, and new ones.
  fileprivate func models(
    _ slot: Slot, _ former: [String: Owner], _ changes: inout SettingsChanges
  ) -> [String: Owner] {
    guard let node = slot.node else { return [:] }
    let path = slot.path
    var models: [String: Owner] = [:]
    do {
      for (key, entry) in try node.entries() {
        let slot = Slot(settings: slot.settings, path: path, node: entry, step: key)
        if let model = former[key] {
          stage(model, defaults: defaults, slot, into: &changes)
          models[key] = model
        } else {
          models[key] = model(slot, &changes.faults)
        }
      }
    } catch {
      changes.faults += error.diagnostics
    }
    return models
  }
}
