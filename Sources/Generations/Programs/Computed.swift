import SettledValues

/// What an evaluation came to, and whether a secret was read on the way.
struct Computed<Outcome: Sendable & Equatable>: Sendable, Equatable {
  /// The outcome.
  var value: Outcome
  /// Whether it must not be shown.
  var isSecret: Bool
}

/// Stands for a derived value that failed, in whatever reads it: the fault is told once, at its
/// source.
struct DerivedFailure: Error {
  /// The derived value.
  var name: String
}
