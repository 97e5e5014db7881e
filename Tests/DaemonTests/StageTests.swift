import Glibc
import TestSupport
import Testing

/// Where a daemon is stopped, loses what it needs, or what it runs is killed.
@Suite struct StageTests {
  let shop: FaultShop

  init() throws { shop = try FaultShop() }

  /// A command that says where the daemon is, and takes its time; `end` is how it ends.
  private func stage(_ name: String, end: String = "exit 0") -> String {
    let (slow, mark) = (shop.path("slow"), shop.path(name))
    let line = "[ -e '\(slow)' ] || exit 0; touch '\(mark)'; sleep 0.3; \(end)"
    return "[sh, -c, \"\(line)\"]"
  }

  private func awaitMark(_ name: String) throws {
    try shop.daemon?.wait { FileStatus.exists(shop.path(name)) }
  }

  /// Checks that the two files are of one generation, beside nothing else.
  private func expectWhole(_ pairs: [(String, String)], _ comment: Comment) {
    let found = (shop.out("text") ?? "-", shop.out("port") ?? "-")
    #expect(pairs.contains { $0 == found }, comment)
    #expect(names(in: shop.path("out")) == ["bystander", "port", "text"], comment)
    #expect(!FileStatus.exists(shop.path("state/journal.json")), comment)
  }

  @Test(arguments: ["check", "verify", "run", "failing"])
  func `SIGTERM at any stage of an apply lets it end, and the next start finds one generation`(
    name: String
  ) throws {
    let key = name == "failing" ? "run" : name
    let end = name == "failing" ? "exit 1" : "exit 0"
    try shop.writeManifest(more: ", \(key): \(stage(name, end: end))")
    try shop.start()
    try shop.folder.write("", to: "slow")
    try shop.write(text: "b", port: 2)
    try awaitMark(name)
    // Who waits for the verdict gets it before the daemon goes.
    let asking = try RunningProgram([
      builtProgram("settlectl"), "--socket", shop.path("socket"), "wait",
    ])
    #expect(shop.stop(with: SIGTERM) == 0, "\(shop.lastLog)")
    _ = asking.end(with: 0)
    let isNew = name != "failing"
    expectWhole([isNew ? ("b\n", "2\n") : ("a\n", "1\n")], "\(name): \(shop.lastLog)")
    unlink(shop.path("slow"))
    try shop.start()
    expectWhole([("b\n", "2\n")], "\(name), after the next start")
  }

  @Test func `SIGTERM while it starts leaves nothing or all of a generation`() throws {
    for round in 0..<20 {
      for name in ["text", "port"] { unlink(shop.path("out/" + name)) }
      removeTree(shop.path("state"))
      let daemon = try RunningProgram(shop.command())
      usleep(.random(in: 0..<40_000))
      let status = daemon.end(with: SIGTERM)
      // Before it has begun to run, the signal ends it as it ends any program.
      #expect(status == 0 || (status == 128 + SIGTERM && daemon.errors.isEmpty), "round \(round)")
      let found = names(in: shop.path("out"))
      #expect(found == ["bystander"] || found == ["bystander", "port", "text"], "round \(round)")
    }
    #expect(try shop.once().status == 0)
    expectWhole([("a\n", "1\n")], "at the end")
  }

  @Test func `a command that a memory limit kills is told as such, and all is put back`() throws {
    // The kernel kills by SIGKILL what is over the limit of its control group.
    try shop.writeManifest(more: ", verify: \(stage("killed", end: "kill -KILL $$"))")
    try shop.start()
    try shop.folder.write("", to: "slow")
    try shop.write(text: "b", port: 2)
    let refused = try shop.settlectl(["reload"])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("killed by signal 9 (by a user, or by a memory limit)"))
    expectWhole([("a\n", "1\n")], "\(refused)")
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to become another user"))
  func `rights that are lost keep the generation, and are told with the path`() throws {
    #expect(try run(["chown", "-R", "54322:54322", shop.folder.path]).status == 0)
    try shop.start(through: ["setpriv", "--reuid=54322", "--regid=54322", "--clear-groups"])
    // A target's directory.
    chmod(shop.path("out"), 0o555)
    try shop.write(text: "b", port: 2)
    let refused = try shop.settlectl(["reload"])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("Permission denied") && refused.errors.contains("/out"))
    #expect(shop.out("port") == "1\n")
    chmod(shop.path("out"), 0o755)
    #expect(try shop.settlectl(["reload"]).status == 0)
    expectWhole([("b\n", "2\n")], "rights of the directory")
    // An input.
    chmod(shop.path("shop.yaml"), 0)
    try shop.daemon?.wait { shop.log.contains("cannot read 'shop.yaml': Permission denied") }
    #expect(try shop.settlectl(["status"]).status == 1)
    expectWhole([("b\n", "2\n")], "rights of an input")
    chmod(shop.path("shop.yaml"), 0o644)
    try shop.daemon?.wait { (try? shop.settlectl(["status"]).status) == 0 }
  }

  @Test(.enabled(if: FaultShop.canMount, "needs to mount"))
  func `a state directory without room keeps the generation, and recovers`() throws {
    mkdir(shop.path("state"), 0o700)
    try shop.start(mounting: "size=64k,mode=0700", on: "state")
    try shop.inside("head -c 100000 /dev/zero > state/fill; true")
    try shop.write(text: "b", port: 2)
    let full = try shop.settlectl(["reload"])
    #expect(full.status == 1)
    #expect(full.errors.contains("No space left on device"))
    #expect((shop.out("text"), shop.out("port")) == ("a\n", "1\n"))
    #expect(names(in: shop.path("out")) == ["bystander", "port", "text"], "no stray file")
    try shop.inside("rm state/fill")
    #expect(try shop.settlectl(["reload"]).status == 0)
    #expect((shop.out("text"), shop.out("port")) == ("b\n", "2\n"))
  }

  private static let clock = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"

  @Test(
    .enabled(if: FileStatus.exists(clock), "needs the package libfaketime"),
    .disabled(if: environment("SETTLED_SANITIZER") != nil, "both take the place of libc's calls"),
    arguments: ["+3600", "-3600", "+864000", "-864000"])
  func `a clock that jumps loses no edit and delays none`(jump: String) throws {
    try shop.folder.write("+0\n", to: "clock")
    try shop.start(through: [
      "env", "LD_PRELOAD=\(Self.clock)", "FAKETIME_TIMESTAMP_FILE=\(shop.path("clock"))",
      "FAKETIME_NO_CACHE=1", "FAKETIME_DONT_FAKE_MONOTONIC=1",
    ])
    for (number, jump) in [jump, "+0", jump].enumerated() {
      try shop.write(text: "before", port: 10 * number)
      try shop.folder.write(jump + "\n", to: "clock")
      try shop.write(text: "after", port: 10 * number + 1)
      try shop.daemon?.wait { shop.out("port") == "\(10 * number + 1)\n" }
      // Waits that had begun before the jump end as if there had been none.
      try shop.folder.write("[\n", to: "shop.yaml")
      try shop.daemon?.wait { (try? shop.settlectl(["status"]).status) == 1 }
      try shop.write(text: "after", port: 10 * number + 2)
      try shop.daemon?.wait { shop.out("port") == "\(10 * number + 2)\n" }
    }
    #expect(try shop.settlectl(["wait"]).status == 0)
    #expect(try shop.settlectl(["history"]).status == 0)
  }
}
