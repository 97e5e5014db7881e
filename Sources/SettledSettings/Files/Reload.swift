public import SettledValues

/// What a reload of settings came to.
public struct Reload: Sendable {
  /// Why settings are read again.
  public enum Cause: Sendable, Hashable {
    /// The program asked.
    case asked
    /// SIGHUP came.
    case hangUp
    /// A file changed.
    case watched
  }

  /// The ways a reload ends.
  public enum Outcome: Sendable, Hashable {
    /// The model has what the files say; these paths changed.
    case applied([Path])
    /// The files say what they said before.
    case unchanged
    /// Something is wrong with them, and nothing was changed.
    case refused([Diagnostic])
  }

  /// Why.
  public var cause: Cause
  /// What came of it.
  public var outcome: Outcome
  /// What was taken, but is likely not what was meant.
  public var warnings: [Diagnostic]

  /// The answer to who asks when files are followed no more.
  static let ended = Reload(
    cause: .asked, outcome: .refused([Diagnostic(.error, "files are not followed any more")]),
    warnings: [])

  /// Whether the files were refused.
  public var isRefused: Bool { if case .refused = outcome { true } else { false } }

  /// One line for a log or a status.
  public var summary: String {
    switch outcome {
    case .applied(let paths):
      "settings changed: " + paths.map(\.description).joined(separator: ", ")
    case .unchanged: "settings unchanged"
    case .refused(let findings):
      "settings refused, keeping the last: " + (findings.first?.summary ?? "no reason")
    }
  }
}
