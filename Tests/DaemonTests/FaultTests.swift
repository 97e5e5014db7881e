import Glibc
import TestSupport
import Testing

/// What goes wrong around a running daemon, each with its right outcome: what was in force stays,
/// the status says why, and all is made good once the fault is gone.
@Suite struct FaultTests {
  let shop: FaultShop

  init() throws { shop = try FaultShop() }

  @Test(.enabled(if: FaultShop.canMount, "needs to mount"))
  func `a full disk puts everything back, and what is freed lets the next apply through`() throws {
    try shop.start(mounting: "size=64k")
    let fill = "head -c 60000 /dev/zero > \(shop.path("out"))/fill; true"
    try shop.inside(fill)
    try shop.write(text: String(repeating: "x", count: 20_000), port: 2)
    let full = try shop.settlectl(["reload"])
    #expect(full.status == 1)
    #expect(full.errors.contains("No space left on device"))
    #expect(try shop.inside("cat out/port").output == "1\n")
    #expect(try shop.inside("ls -A out").output == "fill\nport\ntext\n", "no stray file")
    try shop.inside("rm out/fill")
    #expect(try shop.settlectl(["reload"]).status == 0)
    #expect(try shop.inside("cat out/port").output == "2\n")
  }

  @Test(.enabled(if: FaultShop.canMount, "needs to mount"))
  func `a file system that becomes read-only keeps the generation, and says so`() throws {
    try shop.start(mounting: "size=1m")
    try shop.inside("mount -o remount,ro out")
    try shop.write(text: "b", port: 2)
    let refused = try shop.settlectl(["reload"])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("Read-only file system\n"))
    #expect(refused.errors.contains("keeping generation 1"))
    #expect(try shop.settlectl(["status"]).status == 1)
    try shop.inside("mount -o remount,rw out")
    #expect(try shop.settlectl(["reload"]).status == 0)
    #expect(try shop.inside("cat out/text out/port; ls -A out").output == "b\n2\nport\ntext\n")
  }

  @Test func `a daemon out of descriptors keeps the generation, rests, and goes on`() throws {
    try shop.start()
    let process = try #require(shop.daemon).process
    #expect(try run(["prlimit", "--pid", "\(process)", "--nofile=8:"]).status == 0)
    try shop.write(text: "b", port: 2)
    try shop.daemon?.wait { shop.log.contains("Too many open files") }
    #expect(shop.out("port") == "1\n")
    #expect(try run(["prlimit", "--pid", "\(process)", "--nofile=1024:"]).status == 0)
    #expect(try shop.settlectl(["reload"]).status == 0)
    #expect(shop.out("port") == "2\n")
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to become a user with no other process"))
  func `a command that cannot be started puts everything back`() throws {
    // A user that has no other process: what it may have at most is what the daemon has.
    let user = ["setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"]
    #expect(try run(["chown", "-R", "54321:54321", shop.folder.path]).status == 0)
    try shop.writeManifest(more: ", check: [\"true\"]")
    try shop.start(through: user)
    let limit = user + ["prlimit", "--pid", "\(try #require(shop.daemon).process)"]
    #expect(try run(limit + ["--nproc=1:"]).status == 0)
    try shop.write(text: "b", port: 2)
    let refused = try shop.settlectl(["reload"])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("cannot run 'true': Resource temporarily unavailable"))
    #expect(shop.out("port") == "1\n")
    #expect(try run(limit + ["--nproc=1000:"]).status == 0)
    try shop.write(text: "c", port: 3)
    #expect(try shop.settlectl(["reload"]).status == 0)
    #expect(shop.out("port") == "3\n")
  }

  @Test func `without its state directory nothing is applied, and a restart makes it`() throws {
    try shop.start()
    // What is told is stored after that, and a file that comes meanwhile keeps the directory.
    try shop.daemon?.wait { FileStatus.exists(shop.path("state/history.json")) }
    removeTree(shop.path("state"))
    try shop.write(text: "b", port: 2)
    let refused = try shop.settlectl(["reload"])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("cannot find the state directory '\(shop.path("state"))'"))
    #expect(refused.errors.contains("hint: restart settled, which makes it\n"))
    #expect(shop.out("port") == "1\n")
    shop.stop()
    try shop.start()
    #expect(shop.out("port") == "2\n")
  }

  @Test(arguments: ["applied.json", "last-good", "history.json"])
  func `state of which any byte is damaged is no reason not to start`(name: String) throws {
    #expect(try shop.once().status == 0)
    let whole = try #require(readFile(shop.path("state/" + name)))
    try shop.write(text: "b", port: 2)
    for position in stride(from: 0, to: whole.count, by: Self.step(whole)) {
      var damaged = whole
      damaged[position] ^= 1 << UInt8.random(in: 0..<8)
      try writeFile(damaged, to: shop.path("state/" + name))
      let outcome = try shop.once()
      #expect(outcome.status == 0, "byte \(position): \(outcome)")
      #expect((shop.out("port"), shop.out("bystander")) == ("2\n", "mine\n"), "byte \(position)")
    }
  }

  /// From one damaged byte to the next: 1 where `SETTLED_EACH_BYTE` is set, else for 40 of them.
  private static func step(_ whole: [UInt8]) -> Int {
    environment("SETTLED_EACH_BYTE") != nil ? 1 : max(1, whole.count / 40)
  }

  @Test func `a second daemon on one socket ends, and the first goes on`() throws {
    try shop.start()
    let second = try run(shop.command(state: "other"))
    #expect(second.status == 1)
    #expect(second.errors.contains("'\(shop.path("socket"))'"))
    #expect(try shop.settlectl(["status"]).status == 0)
  }

  @Test func `a daemon whose socket is removed goes on, and a restart listens again`() throws {
    try shop.start()
    #expect(unlink(shop.path("socket")) == 0)
    #expect(try shop.settlectl(["status"]).status == 3)
    try shop.write(text: "b", port: 2)
    try shop.daemon?.wait { shop.out("port") == "2\n" }
    shop.stop()
    // What a killed daemon leaves is in nobody's way.
    try shop.folder.write("", to: "stale")
    try shop.start()
    shop.stop(with: SIGKILL)
    try shop.start()
    #expect(try shop.settlectl(["status"]).status == 0)
  }

  @Test func `ten thousand SIGHUPs while it reloads are a few reloads, and the last state wins`()
    throws
  {
    try shop.start()
    let process = try #require(shop.daemon).process
    for number in 2..<12 {
      try shop.write(text: "storm", port: number)
      for _ in 0..<1000 { kill(process, SIGHUP) }
    }
    try shop.daemon?.wait { shop.out("port") == "11\n" }
    #expect(try shop.settlectl(["reload"]).status == 0)
    #expect(try shop.settlectl(["status"]).status == 0)
    #expect(shop.log.split(separator: "\n").count { $0.contains("in force") } <= 11)
  }

  @Test func `SIGTERM at any moment ends it with 0, all old or all new, and nothing left`() throws {
    for round in 0..<30 {
      try shop.start()
      try shop.write(text: "\(round)", port: round + 10)
      if round.isMultiple(of: 2) { kill(try #require(shop.daemon).process, SIGHUP) }
      usleep(.random(in: 0..<20_000))
      #expect(shop.stop(with: SIGTERM) == 0, "round \(round): \(shop.lastLog)")
      let pair = (shop.out("text"), shop.out("port"))
      let isNew = pair == ("\(round)\n", "\(round + 10)\n")
      let isOld = pair == ("\(round - 1)\n", "\(round + 9)\n") || pair == ("a\n", "1\n")
      #expect(isNew || isOld, "round \(round): \(pair)")
      #expect(names(in: shop.path("out")) == ["bystander", "port", "text"])
      #expect(FileStatus.exists(shop.path("state/journal.json")) == false)
    }
  }

  @Test func `a client that never reads keeps nobody from being answered`() throws {
    try shop.start()
    let deaf = try DeafClient(shop.path("socket"))
    #expect(deaf.callUntilFull("io.settled.GetStatus") > 100)
    for number in 2..<6 {
      try shop.write(text: "b", port: number)
      #expect(try shop.settlectl(["reload"]).status == 0)
      #expect(shop.out("port") == "\(number)\n")
    }
    #expect(try shop.settlectl(["status"]).status == 0)
  }
}
