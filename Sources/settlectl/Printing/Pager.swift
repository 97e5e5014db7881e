import Glibc

/// Shows answers that do not fit on the terminal, screen by screen, as systemctl and git do.
struct Pager {
  /// What is run where nobody names a pager: the first that there is.
  private static let standard =
    "for pager in less more; do command -v $pager >/dev/null && exec $pager; done; exec cat"
  /// The status of a shell that did not find its command.
  private static let notFound: CInt = 127 << 8

  private let command: String
  private let isSecure: Bool

  /// The pager that the environment names; nil where it wants none, or the terminal cannot have one.
  init?(environment: (String) -> String?) {
    guard let terminal = environment("TERM"), terminal != "dumb" else { return nil }
    // Who may run only this program as another user must get no shell out of a pager.
    isSecure = ["SUDO_UID", "PKEXEC_UID"].contains { environment($0) != nil }
    let named = environment("SETTLED_PAGER") ?? environment("PAGER")
    guard named != "", named != "cat" else { return nil }
    command = isSecure ? Self.standard : named ?? Self.standard
  }

  /// Whether a text has more lines than the terminal.
  func isNeeded(for text: String, on descriptor: CInt) -> Bool {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return false }
    let columns = max(1, Int(size.ws_col))
    var rows = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      rows += max(1, (line.count + columns - 1) / columns)
    }
    return rows >= Int(size.ws_row)
  }

  /// Shows a text until the reader has seen enough; false where the pager was not found.
  func show(_ text: String) -> Bool {
    setenv("LESS", "FRX", 0)
    if isSecure { setenv("LESSSECURE", "1", 1) }
    // An ignored signal would be ignored by the pager as well, a handled one is not.
    signal(SIGPIPE, SIG_DFL)
    let stream = popen(command, "w")
    signal(SIGPIPE, SIG_IGN)
    guard let stream else { return false }
    // Ctrl-C is for the pager, which gives the terminal back.
    signal(SIGINT) { _ in }
    defer { signal(SIGINT, SIG_DFL) }
    fputs(text, stream)
    return pclose(stream) != Self.notFound
  }
}
