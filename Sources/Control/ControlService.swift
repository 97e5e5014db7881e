public import SettledValues
import Varlink

/// What a daemon answers, without anything of the wire.
///
/// It is asked on the thread that runs the `ControlServer`.
public protocol ControlService: AnyObject {
  /// How everything is.
  func status() -> Status
  /// The setting or derived value at a path, spelled as in an expression; secrets masked.
  func value(at path: String) throws(ControlError) -> Value
  /// What an expression comes to over the generation in force, and the paths that it read.
  func evaluate(_ expression: String) throws(ControlError) -> (value: Value, reads: [String])
  /// All settings and derived values of the generation in force; secrets masked.
  func values() throws(ControlError) -> (settings: Value, derived: Value)
  /// Reads all inputs again, and calls `completion` once with the verdict.
  func reload(_ completion: @escaping (Verdict) -> Void)
  /// Explains a setting, derived value, fact or target, and calls `completion` once with the reply
  /// of `Explain`; `kind` tells what is meant where a name may be several.
  func explain(
    _ name: String, as kind: String?,
    _ completion: @escaping (Result<ValueMap, ControlError>) -> Void)
  /// Finds what is read by what, and calls `completion` once with the reply of `GetGraph`.
  func graph(_ completion: @escaping (Result<ValueMap, ControlError>) -> Void)
  /// Has a subscription told of changes until it is closed, beginning with what holds now.
  func watch(_ subscription: Subscription)
  /// Calls `completion` with the status once nothing is under way any more; `looks` has the inputs
  /// compared first.
  func wait(looks: Bool, _ completion: @escaping (Status) -> Void)
  /// Counts and measures, as OpenMetrics text.
  func metrics() -> String
  /// Puts targets of the generation in force into place again, all for none named, and calls
  /// `completion` once with the verdict.
  func apply(_ targets: [String], _ completion: @escaping (Verdict) -> Void)
  /// Finds out what a reload would do, and calls `completion` once with it.
  func plan(_ completion: @escaping (PlanAnswer) -> Void)
  /// The last passes that did something or were refused, the newest last.
  func history(last count: Int) -> [HistoryEntry]
}

/// Why there is no answer.
public enum ControlError: Error, Sendable, Hashable {
  /// There is no such setting or derived value.
  case notFound(path: String, hint: String?)
  /// No generation is in force yet.
  case notReady
  /// Another reason, in a sentence.
  case failed(String)
}

extension ControlError: CustomStringConvertible {
  /// What is wrong, in a sentence.
  public var description: String {
    switch self {
    case .notFound(let path, let hint):
      "there is no '\(path)'" + (hint.map { "; \($0)" } ?? "")
    case .notReady: "no generation is in force yet"
    case .failed(let message): message
    }
  }

  var callError: CallError {
    switch self {
    case .notFound(let path, let hint):
      Self.named("NotFound", ["path": .string(path), "hint": Value(hint)])
    case .notReady: Self.named("NotReady", [:])
    case .failed(let message): Self.named("Failed", ["message": .string(message)])
    }
  }

  /// Reads an error reply; nil for one of another interface.
  init?(_ error: CallError) {
    let fields = Fields(error.parameters)
    switch error.name {
    case Interface.settledName + ".NotFound":
      guard let path = try? fields.text("path") else { return nil }
      self = .notFound(path: path, hint: fields.optional("hint")?.text)
    case Interface.settledName + ".NotReady": self = .notReady
    case Interface.settledName + ".Failed":
      guard let message = try? fields.text("message") else { return nil }
      self = .failed(message)
    default: return nil
    }
  }

  private static func named(_ name: String, _ parameters: ValueMap) -> CallError {
    CallError("\(Interface.settledName).\(name)", parameters)
  }
}
