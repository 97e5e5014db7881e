import SettledObserving
import SettledSettings
import SettledValues
public import SettledYAML

/// What the manifest says of the daemon itself.
public struct DaemonRule: Sendable {
  /// What the layers may ask of their reader.
  public var limits = YAMLLimits()
  /// The settings that ``DaemonSettings`` are updated from.
  var settings = Settings()
}

extension ManifestReader {
  /// Reads `daemon:` of the manifest.
  mutating func daemon(_ document: YAMLDocument, _ node: YAMLNode) -> DaemonRule {
    let empty = Self.emptyKeys(below: node)
    findings += document.missingValues().filter { $0.place.map(empty.contains) ?? false }
    // Without this check, so that what is empty elsewhere is told by who reads it.
    let settings = Settings(unchecked: Layer(document))
    let outcome = ObservingActor.sync {
      let model = DaemonSettings()
      return Result { () throws(Refusal) in
        try model.update(from: settings, at: DaemonSettings.path)
        return model.limits.limits
      }
    }
    switch outcome {
    case .success(let limits): return DaemonRule(limits: limits, settings: settings)
    case .failure(let refusal):
      findings += refusal.diagnostics
      return DaemonRule()
    }
  }

  /// The places of keys with nothing after them.
  private static func emptyKeys(below node: YAMLNode) -> Set<Place> {
    var places: Set<Place> = []
    for entry in node.entries {
      if entry.value.isEmpty { places.insert(entry.keyPlace) }
      places.formUnion(emptyKeys(below: entry.value))
    }
    return places
  }
}
