import Glibc
import Targets
import TestSupport
import Testing

@Suite struct CommandTests {
  private func run(
    _ arguments: String..., environment: [String: String] = [:], timeout: Duration = .seconds(20)
  ) -> CommandResult {
    Command(arguments, environment: environment, timeout: timeout).run()
  }

  private func text(_ result: CommandResult) -> String {
    String(decoding: result.output, as: UTF8.self)
  }

  @Test func `a command's output and status are told`() {
    let result = run("sh", "-c", "echo out; echo err >&2; exit 3")
    #expect(result.end == .exited(3))
    #expect(text(result) == "out\nerr\n")
    #expect(!result.isSuccess)
    #expect(run("true").isSuccess)
  }

  @Test func `a program that is not there is an error with its name`() {
    let result = run("settled-no-such-program")
    #expect(result.reason == "cannot run 'settled-no-such-program': No such file or directory")
  }

  @Test func `arguments reach the program as they are, whatever a shell would make of them`() {
    let result = run("printf", "%s|", "a b", "$HOME", "`id`", "", "\"'")
    #expect(text(result) == "a b|$HOME|`id`||\"'|")
  }

  @Test func `a command runs in its directory, to which its program is relative`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("#!/bin/sh\npwd\n", to: "program")
    chmod(directory.path("program"), 0o755)
    var command = Command(["./program"])
    command.directory = directory.path
    let result = command.run()
    #expect(result.end == .exited(0))
    #expect(String(decoding: result.output, as: UTF8.self) == directory.path + "\n")
  }

  @Test func `only the named environment is handed on`() {
    let result = run("env", environment: ["SETTLED_TARGET": "web"])
    #expect(
      text(result).split(separator: "\n").sorted()
        == ["PATH=\(Command.searchPath)", "SETTLED_TARGET=web"])
  }

  @Test func `no descriptor but the standard three is handed on`() {
    let extra = open("/dev/null", O_RDONLY)
    defer { close(extra) }
    let listing = text(run("ls", "/proc/self/fd"))
    #expect(listing.split(separator: "\n").count == 4, "ls itself holds one: \(listing)")
  }

  @Test(arguments: ["SigBlk", "SigIgn"])
  func `signals are neither blocked nor ignored`(set: String) throws {
    let line = text(run("grep", "^\(set)", "/proc/self/status"))
    let signals = try #require(
      UInt64(line.split { $0 == "\t" || $0 == "\n" }.last ?? "", radix: 16))
    // Signals 32 and 33 are the C library's own.
    #expect(signals & 0x7FFF_FFFF == 0, "\(line)")
  }

  @Test func `a command over its time limit is killed with all that it started`() throws {
    let result = run(
      "sh", "-c", "trap '' TERM; sleep 1000 & echo $!; wait", timeout: .milliseconds(200))
    #expect(result.end == .timedOut(.milliseconds(200)))
    let child = try #require(
      pid_t(text(result).split(separator: "\n").first.map(String.init) ?? ""))
    // The signal is sent; the kernel may take a moment to act on it, and init to notice.
    let deadline = ContinuousClock.now + .seconds(20)
    while kill(child, 0) == 0, state(of: child) != "Z", ContinuousClock.now < deadline {
      sched_yield()
    }
    #expect(kill(child, 0) != 0 || state(of: child) == "Z")
  }

  @Test func `a command that leaves a process behind does not hold the daemon up`() throws {
    let clock = ContinuousClock()
    let start = clock.now
    let result = run("sh", "-c", "sleep 1000 & echo $!")
    #expect(result.isSuccess)
    #expect(clock.now - start < .seconds(10))
    let child = try #require(
      pid_t(text(result).split(separator: "\n").first.map(String.init) ?? ""))
    kill(child, SIGKILL)
  }

  @Test func `of a long output the end is kept`() {
    let result = run("sh", "-c", "head -c 300000 /dev/zero | tr '\\0' x; echo end")
    #expect(result.output.count == Command.outputLimit)
    #expect(text(result).hasSuffix("xxend\n"))
  }

  @Test(arguments: ["exec yes", "trap '' TERM; yes & yes"])
  func `a command that writes without end is killed at its time limit`(line: String) {
    var command = Command(["sh", "-c", line], timeout: .milliseconds(200))
    command.isSecret = false
    let result = command.run()
    #expect(result.end == .timedOut(.milliseconds(200)))
    #expect(result.output.count == Command.outputLimit)
  }

  @Test func `what a command left behind that writes without end does not hold the daemon up`()
    throws
  {
    let result = run("sh", "-c", "echo $$; yes & sleep 0.2")
    #expect(result.isSuccess)
    #expect(result.output.count == Command.outputLimit)
  }

  @Test func `many commands leave no zombie and no descriptor`() {
    let before = text(run("ls", "/proc/\(getpid())/fd")).split(separator: "\n").count
    for _ in 0..<200 { #expect(run("true").isSuccess) }
    let after = text(run("ls", "/proc/\(getpid())/fd")).split(separator: "\n").count
    // Other tests open files and start programs of their own meanwhile.
    #expect(after < before + 50)
    let zombies = run("sh", "-c", "grep -l \"^State:.Z\" /proc/[0-9]*/status | wc -l")
    #expect((Int(text(zombies).split(separator: "\n").last ?? "") ?? 0) < 50)
  }

  private func state(of process: pid_t) -> String {
    let fields = text(run("cat", "/proc/\(process)/stat")).split(separator: " ")
    return fields.count > 2 ? String(fields[2]) : ""
  }
}
