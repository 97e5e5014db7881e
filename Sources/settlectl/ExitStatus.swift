/// What the exit status of the tool means.
enum ExitStatus: Int32 {
  /// Done, or settled.
  case done = 0
  /// Refused, failed or degraded.
  case refused = 1
  /// The arguments were not understood.
  case usage = 2
  /// The daemon does not run, or was lost before the verdict.
  case notRunning = 3
  /// A plan has changes, with `--exit-code`.
  case changes = 10
  /// The caller may not do that.
  case notPermitted = 4
}
