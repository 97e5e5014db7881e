public import SettledValues

extension Settings {
  /// What is shown in the place of a secret.
  public static let secretText = Value.string("(secret)")

  /// The same settings in which all that is set at some paths or below them is secret, beside the
  /// values of secret layers.
  ///
  /// Paths at which nothing is set are taken too: what layers say of them is not shown.
  public func marking(secret paths: [Path]) -> Settings {
    Settings(MergedTree(tree, marks: paths.isEmpty ? nil : SecretMarks(paths, in: self)))
  }

  /// Whether anything may be secret.
  public var hasSecrets: Bool { tree.hasSecrets }

  /// The paths that are marked as secret.
  public var secretPaths: [Path] { tree.marks?.paths ?? [] }

  /// Whether the value at a path, or anything below it, is secret.
  public func isSecret(at path: Path) -> Bool {
    node(at: path)?.holdsSecret ?? isMarked(path)
  }

  /// Whether the keys of the map at a path, or the number of elements of the list, are secret.
  public func hasSecretKeys(at path: Path) -> Bool {
    node(at: path)?.hasSecretKeys ?? isMarked(path)
  }

  /// The value at a path with `(secret)` in the place of each secret, or nil where nothing is set.
  ///
  /// A map of which the keys are secret, or a list of which the length is, is hidden as a whole.
  public func shownValue(at path: Path = Path()) -> Value? {
    node(at: path)?.shown(Self.secretText)
  }

  /// The texts of all secret values, to keep them out of what others write.
  public var secretTexts: [String] {
    var texts: [String] = []
    root?.collectSecretTexts(into: &texts)
    return texts
  }

  /// Whether a path was marked as secret, or one above or below it, whatever layers say there.
  func isMarked(_ path: Path) -> Bool { tree.marks?.touches(path) ?? false }
}
