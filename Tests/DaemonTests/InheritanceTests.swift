import Glibc
import TestSupport
import Testing

/// What whoever starts the daemon may have left it: it relies on none of it.
@Suite struct InheritanceTests {
  let shop: FaultShop

  init() throws { shop = try FaultShop() }

  /// Starts the daemon by a line of the shell in which `"$@"` is its command, and has it apply.
  private func start(by line: String) throws -> RunningProgram {
    try shop.writeManifest(more: ", check: [grep, -q, \"[a-z]\", \"{{ staged }}\"]")
    let daemon = try RunningProgram(["sh", "-c", line, "sh"] + shop.command())
    try daemon.wait { shop.out("port") == "1\n" && FileStatus.exists(shop.path("socket")) }
    try reload(to: 2, text: "b")
    return daemon
  }

  private func reload(to port: Int, text: String) throws {
    try shop.write(text: text, port: port)
    let outcome = try shop.settlectl(["reload"])
    #expect(outcome.status == 0, "\(outcome)")
    #expect((shop.out("text"), shop.out("port")) == (text + "\n", "\(port)\n"))
  }

  @Test func `closed standard streams are no reason to write messages into a file`() throws {
    let daemon = try start(by: "exec \"$@\" <&- >&- 2>&-")
    let streams = try run(["readlink"] + (0...2).map { "/proc/\(daemon.process)/fd/\($0)" })
    #expect(streams.output == "/dev/null\n/dev/null\n/dev/null\n")
    #expect(daemon.end(with: SIGTERM) == 0)
  }

  @Test(arguments: ["CHLD", "PIPE", "XFSZ", "HUP", "TERM", "INT"])
  func `a signal that is ignored is no matter`(name: String) throws {
    let daemon = try start(by: "trap '' \(name); exec \"$@\"")
    kill(daemon.process, SIGHUP)
    try reload(to: 3, text: "c")
    #expect(daemon.end(with: SIGTERM) == 0)
  }

  @Test(arguments: ["umask 0777", "umask 0", "mkdir gone; cd gone; rmdir ../gone"])
  func `neither the umask nor the working directory is relied on`(line: String) throws {
    let daemon = try start(by: "cd '\(shop.folder.path)'; \(line); exec \"$@\"")
    var status = stat()
    #expect(stat(shop.path("out/port"), &status) == 0 && status.st_mode & 0o777 == 0o644)
    #expect(stat(shop.path("state"), &status) == 0 && status.st_mode & 0o777 == 0o700)
    #expect(daemon.end(with: SIGTERM) == 0)
  }

  @Test(
    .disabled(if: environment("SETTLED_SANITIZER") == "thread", "it maps larger files of its own"))
  func `a file beyond the limit of the process is an error, and all is put back`() throws {
    // In blocks of 512 bytes; what is kept of the state has room.
    let daemon = try start(by: "ulimit -f 64; exec \"$@\"")
    try shop.write(text: String(repeating: "x", count: 40_000), port: 3)
    let refused = try shop.settlectl(["reload"])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("File too large"))
    #expect((shop.out("text"), shop.out("port")) == ("b\n", "2\n"))
    #expect(names(in: shop.path("out")) == ["bystander", "port", "text"])
    try reload(to: 4, text: "d")
    #expect(daemon.end(with: SIGTERM) == 0)
  }

  @Test func `a daemon whose log nobody reads any more goes on`() throws {
    let daemon = try start(by: "exec 3>&1; exec \"$@\" 2>&1 >&3 3>&- | true")
    // The shell waits for the daemon, which is another process here.
    let holder = try run(["cat", shop.path("state/lock")]).output
    #expect(kill(try #require(pid_t(holder)), SIGTERM) == 0)
    #expect(daemon.end(with: 0) == 0)
  }
}
