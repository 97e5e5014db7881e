import Control

/// Why a verb ends without its answer.
struct ToolError: Error {
  var status: ExitStatus
  /// What is wrong, in a sentence.
  var message: String
  /// What to do.
  var hint: String?

  init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
    self.status = status
    self.message = message
    self.hint = hint
  }

  init(_ fault: ControlClient.Fault) {
    switch fault {
    case .notRunning(_, let reason):
      self.init(
        .notRunning, "settled is not running: \(reason)",
        hint: "'systemctl status settled' tells why, 'systemctl start settled' starts it; --socket "
          + "names the socket of another")
    case .unreachable(let path, let reason):
      self.init(
        .notPermitted, "not permitted: \(reason)",
        hint: "use sudo, or see 'namei -l \(path)' for who may pass")
    case .lost(let reason):
      self.init(.notRunning, "settled was lost before it answered: \(reason)")
    case .notPermitted:
      self.init(
        .notPermitted,
        "not permitted: only for root, the daemon's user and members of the group 'settled'",
        hint: "use sudo, or have root add you: adduser NAME settled")
    case .refused(.notFound(let path, let hint)):
      self.init(.refused, "there is no '\(path)'", hint: hint)
    case .refused(let error): self.init(.refused, error.description)
    case .unexpected(let reason):
      self.init(
        .refused, "the answer is not understood: \(reason)",
        hint: "are settlectl and settled of one version?")
    }
  }
}
