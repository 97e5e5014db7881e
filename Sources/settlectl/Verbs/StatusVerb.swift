import Control
import Glibc
import Options
import SettledValues

extension Command {
  /// Shows how everything is.
  static let status = Command(
    Verb(
      "status", summary: "show how everything is",
      details: [
        "Exits with 0 when settled or on the way there, 1 when degraded, 3 when settled does not run."
      ],
      examples: [
        Example("settlectl status", "state, last reload, and targets that do not hold"),
        Example("settlectl status --json", "all of it, for programs"),
      ],
      options: [.output, .json])
  ) { invocation, tool throws(ToolError) in
    let status = try tool.ask { client throws(ControlClient.Fault) in try client.status() }
    let answer = Answer(
      text: { StatusText(status: status, now: .now, style: $0).text }, value: .map(status.wire))
    try tool.show(answer, for: invocation)
    return status.state == .degraded ? .refused : .done
  }
}

extension Timestamp {
  /// The present instant.
  static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }
}
