/// The jobs that have ended, by the signals of PID 1.
struct EndedJobs {
  /// The one job of interest; nil for all, while its path is not yet known.
  var path: String?
  private var results: [String: String] = [:]

  /// Begins to collect the ends of the job `path`, or of all.
  init(path: String? = "") {
    self.path = path
  }

  /// The result of the job of interest, nil if it has not ended.
  var result: String? {
    path.flatMap { results[$0] }
  }

  /// Takes note of the end of a job, if `message` is the signal of one.
  mutating func note(_ message: BusMessage) {
    guard message.isSignal("org.freedesktop.systemd1.Manager", "JobRemoved"),
      message.uint32() != nil, let ended = message.string(BusMessage.Code.path),
      message.string() != nil, let result = message.string(),
      path == nil || path == ended
    else { return }
    results[ended] = result
  }
}
