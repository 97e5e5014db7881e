/// Targets that are put into place again though nothing they read changed.
public enum Scope: Sendable, Hashable {
  /// All of them.
  case all
  /// Those with these names; the name of a target with `each` means all its instances.
  case targets(Set<String>)

  /// Tells whether an instance is meant: by its own name, or by that of its target.
  func holds(_ instance: String) -> Bool {
    switch self {
    case .all: true
    case .targets(let names):
      names.contains(instance) || names.contains(instance.nameOfTarget)
    }
  }

  /// The scope that holds what either holds.
  public func union(_ other: Scope) -> Scope {
    guard case .targets(let names) = self, case .targets(let more) = other else { return .all }
    return .targets(names.union(more))
  }
}
