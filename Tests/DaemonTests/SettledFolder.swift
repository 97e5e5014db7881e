import TestSupport

/// The built programs on what lies in a directory: `settled.yaml`, `socket` and `state`.
extension TemporaryDirectory {
  /// Starts the daemon, and waits until its first pass is over.
  func startSettled() throws -> RunningProgram {
    let daemon = try RunningProgram([
      builtProgram("settled"), "--manifest", path("settled.yaml"),
      "--socket", path("socket"), "--state-directory", path("state"),
    ])
    try daemon.wait { (try? ask("wait")).map { $0.status != 3 } == true }
    return daemon
  }

  /// Asks the daemon by the tool.
  func ask(_ words: String...) throws -> ProgramOutcome {
    try run([builtProgram("settlectl")] + words, environment: ["SETTLED_SOCKET": path("socket")])
  }
}
