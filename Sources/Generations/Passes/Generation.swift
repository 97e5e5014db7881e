public import SettledSettings
public import SettledValues

/// A numbered set of inputs that was accepted and applied, and the values that follow from it.
public struct Generation: Sendable {
  /// A target and where its file lies.
  public struct Target: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// The path of its file, nil where it follows a value.
    public var file: String?
  }

  /// Its number, counted from 1.
  public var number: Int64
  /// The merged settings.
  public var settings: Settings
  /// The targets, in the order of the manifest.
  public var targets: [Target]
  var derived: [(name: String, computed: Computed<Value>)]
  var facts: Value

  /// What is shown in the place of a secret.
  public static let secretText = Settings.secretText

  /// The derived values by name, in the order of the manifest; secrets are not shown.
  public var derivedValues: Value {
    .map(
      ValueMap(
        derived.map { (key: .string($0.name), value: $0.computed.shown) }))
  }
}

extension Computed where Outcome == Value {
  /// The value as it may be shown.
  var shown: Value { isSecret ? Generation.secretText : value }
}

extension Generation {
  /// A text of others, such as the output of a command, in which secrets that it quotes are masked.
  ///
  /// Texts shorter than four bytes are not looked for.
  func withoutSecrets(_ text: String) -> String {
    guard settings.hasSecrets else { return text }
    let values = derived.filter(\.computed.isSecret).compactMap(\.computed.value.text)
    let secrets = (settings.secretTexts + values).flatMap { secret in
      [secret] + secret.utf8.split { $0 == 0x0A || $0 == 0x0D }.map { String(Substring($0)) }
    }
    var text = text
    for secret in secrets.sorted(by: { $0.utf8.count > $1.utf8.count })
    where secret.utf8.count >= 4 {
      text = text.replacingBytes(of: secret, with: "(secret)")
    }
    return text
  }

  /// All settings, of which secrets are not shown.
  public var shownSettings: Value { settings.shownValue() ?? [:] }
}

extension Generation {
  /// The derived values that are not what they were in a former generation, or are gone.
  func derivedNames(changedSince former: Generation) -> [String] {
    let before = Dictionary(former.derived.map { ($0.name, $0.computed) }) { first, _ in first }
    let now = Set(derived.map(\.name))
    return derived.filter { before[$0.name] != $0.computed }.map(\.name)
      + former.derived.map(\.name).filter { !now.contains($0) }
  }
}
