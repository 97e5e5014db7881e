import Glibc

/// Where a verb writes to: answers to the output, all else to the errors.
struct Console {
  /// A stream and what it can show.
  struct Stream {
    let descriptor: Int32
    let style: Style

    init(_ descriptor: Int32, environment: (String) -> String?) {
      self.descriptor = descriptor
      let isTerminal = isatty(descriptor) == 1
      let isPlain = environment("TERM") == "dumb" || !(environment("NO_COLOR") ?? "").isEmpty
      style = Style(isColored: isTerminal && !isPlain, isTerminal: isTerminal)
    }

    /// Writes text, and tells whether all of it went out.
    func write(_ text: String) -> Bool {
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
          rest = rest.dropFirst(count)
        } else if errno != EINTR {
          return false
        }
      }
      return true
    }
  }

  let output: Stream
  let errors: Stream
  /// What shows long answers on a terminal, nil where nothing does.
  var pager: Pager?

  /// The streams of this process.
  static var standard: Console {
    Console(
      output: Stream(STDOUT_FILENO, environment: environmentVariable),
      errors: Stream(STDERR_FILENO, environment: environmentVariable))
  }

  /// Writes an answer.
  ///
  /// A reader that went away is no error, a full disk is.
  func answer(_ text: String) throws(ToolError) {
    if let pager, output.style.isTerminal, pager.isNeeded(for: text, on: output.descriptor),
      pager.show(text)
    {
      return
    }
    guard !output.write(text), errno != EPIPE else { return }
    throw ToolError(.refused, "cannot write the answer: \(String(cString: strerror(errno)))")
  }

  /// Writes a part of an answer that others follow, and tells whether anybody still reads.
  func tell(_ text: String) throws(ToolError) -> Bool {
    if output.write(text) { return true }
    if errno == EPIPE { return false }
    throw ToolError(.refused, "cannot write the answer: \(String(cString: strerror(errno)))")
  }

  /// Writes a line about what went wrong.
  func report(_ line: String) {
    _ = errors.write(line + "\n")
  }
}

/// The value of an environment variable, or nil where it is not set.
func environmentVariable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
