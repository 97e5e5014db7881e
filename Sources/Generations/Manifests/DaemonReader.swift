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
  mutating func daemon(_ document: YAMLDocument) -> DaemonRule {
    // Without the check of the whole, so that what is empty elsewhere is told by who reads it.
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
}
