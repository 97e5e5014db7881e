import SettledInputs
import Targets

/// An instance that stays as it was, since something is in its way and the rest can do without it.
public struct Omission: Sendable, Hashable {
  /// The name of the instance.
  public var instance: String
  /// What failed, in a few words.
  public var subject: String
  /// Why, and what to do about it where that is known.
  public var reason: String

  init(_ instance: String, file obstacle: Obstacle) {
    self.instance = instance
    subject = "the file"
    reason = obstacle.reason + (obstacle.hint.map { "; \($0)" } ?? "")
  }

  init(_ test: Plan.Test, reason: String) {
    instance = test.target
    subject = "'\(test.command.arguments.first ?? "")'"
    self.reason = reason
  }
}

/// Why a file cannot be where a target wants it.
struct Obstacle: Error, Sendable {
  var reason: String
  var hint: String?
  /// Whether the owner is what it cannot have.
  var isOfOwner = false

  init(_ error: SystemError) {
    (reason, hint) = (error.description, error.hint)
  }

  init(_ fault: Owner.Fault) {
    (reason, hint) = (fault.description, "create it, or correct the name")
    isOfOwner = true
  }

  static func of<Answer>(
    _ body: () throws(SystemError) -> Answer
  ) throws(Obstacle) -> Answer {
    do { return try body() } catch { throw Obstacle(error) }
  }

  static func of<Answer>(
    _ body: () throws(Owner.Fault) -> Answer
  ) throws(Obstacle) -> Answer {
    do { return try body() } catch { throw Obstacle(error) }
  }
}
