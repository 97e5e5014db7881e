import Glibc
import TestSupport
import Testing

/// What users of other tools reported, tried on the built daemon; packaging/REPORTS.md names these.
@Suite struct FieldReportTests {
  let shop: FaultShop

  init() throws { shop = try FaultShop() }

  private var generations: Int {
    shop.log.split(separator: "\n").count { $0.contains("is in force") }
  }

  @Test func `a file that is removed, made again as it was, and then changed is applied each time`()
    throws
  {
    try shop.start()
    unlink(shop.path("shop.yaml"))
    try shop.daemon?.wait { shop.log.contains("refused, keeping generation 1") }
    #expect(shop.out("port") == "1\n")
    try shop.write(text: "a", port: 1)
    try shop.daemon?.wait { (try? shop.settlectl(["status"]).status) == 0 }
    #expect(generations == 1)
    try shop.write(text: "a", port: 2)
    try shop.daemon?.wait { shop.out("port") == "2\n" && generations > 1 }
    #expect(generations == 2)
  }

  @Test func `a save is one generation, and one that changes nothing is none`() throws {
    try shop.writeManifest(more: ", run: [sh, -c, \"echo ran >> '\(shop.path("ran"))'\"]")
    try shop.start()
    try shop.folder.write("text: \"b\"\nport: 2\n", to: "shop.yaml")
    try shop.daemon?.wait { shop.out("port") == "2\n" && generations > 1 }
    for _ in 0..<5 { try shop.folder.write("text: \"b\"\nport: 2\n", to: "shop.yaml") }
    for _ in 0..<5 { try shop.write(text: "b", port: 2) }
    #expect(try shop.settlectl(["wait"]).status == 0)
    #expect(generations == 2)
    #expect(shop.folder.read("ran") == "ran\nran\n")
  }

  @Test func `a good, a faulty and a good state again are generation 1, 1 and 2`() throws {
    try shop.start()
    try shop.folder.write("text: [\n", to: "shop.yaml")
    let refused = try shop.settlectl(["reload"])
    #expect(refused.status == 1 && refused.errors.contains("keeping generation 1"))
    #expect((shop.out("text"), shop.out("port")) == ("a\n", "1\n"))
    try shop.write(text: "b", port: 2)
    #expect(try shop.settlectl(["reload"]).output.contains("generation 2"))
    // And the same good state once more after a fault.
    try shop.folder.write("text: [\n", to: "shop.yaml")
    #expect(try shop.settlectl(["reload"]).status == 1)
    try shop.write(text: "b", port: 2)
    #expect(try shop.settlectl(["reload"]).status == 0)
    #expect(generations == 2)
  }

  @Test func `settings that change together are one effect, with all of them`() throws {
    try shop.folder.write(
      """
      layers: [shop.yaml]
      targets:
        login:
          follows: "[user, password, url]"
          run: [sh, -c, "echo \\"$0\\" >> '\(shop.path("ran"))'", "{{ user }} {{ password }} {{ url }}"]
      """, to: "settled.yaml")
    try shop.folder.write("{user: a, password: a, url: a}\n", to: "shop.yaml")
    try shop.start()
    for value in ["b", "c", "d"] {
      try shop.folder.write(
        "{user: \(value), password: \(value), url: \(value)}\n", to: "shop.yaml")
      #expect(try shop.settlectl(["reload"]).status == 0)
    }
    #expect(shop.folder.read("ran") == "a a a\nb b b\nc c c\nd d d\n")
  }

  @Test func `SIGHUP at any moment after the start ends nothing`() throws {
    for round in 0..<40 {
      let daemon = try RunningProgram(shop.command())
      // Before it has begun to run, a signal ends any program.
      try daemon.wait { readFile("/proc/\(daemon.process)/status").map(Self.blocksHangUps) ?? true }
      usleep(UInt32(round) * 1000)
      kill(daemon.process, SIGHUP)
      try daemon.wait { (try? shop.settlectl(["status"]).status) == 0 }
      #expect(daemon.end(with: SIGTERM) == 0)
    }
  }

  private static func blocksHangUps(_ status: [UInt8]) -> Bool {
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("SigBlk:") }
    return line.flatMap { UInt64($0.split(separator: "\t")[1], radix: 16) }.map { $0 & 1 == 1 }
      ?? false
  }

  @Test func `one generation asked for twice is done at once, and told by the exit status`() throws
  {
    #expect(try shop.once().status == 0)
    #expect(try shop.once().status == 0)
    try shop.folder.write("text: [\n", to: "shop.yaml")
    #expect(try shop.once().status == 1)
    #expect((shop.out("text"), shop.out("port")) == ("a\n", "1\n"))
  }

  @Test(arguments: ["", "\n \n", "# nothing\n", "---\n", "null\n"])
  func `an emptied file is a fault, and wipes nothing`(content: String) throws {
    try shop.start()
    try shop.folder.write(content, to: "shop.yaml")
    #expect(try shop.settlectl(["reload"]).status == 1)
    #expect((shop.out("text"), shop.out("port")) == ("a\n", "1\n"))
    shop.stop()
    #expect(try shop.once().status == 1)
    #expect((shop.out("text"), shop.out("port")) == ("a\n", "1\n"))
  }

  @Test func `of an idle daemon nothing is computed, written or run`() throws {
    try shop.writeManifest(daemon: "{poll: 100ms}")
    try shop.start()
    #expect(try shop.settlectl(["wait"]).status == 0)
    let before = try shop.settlectl(["metrics"]).output
    // As many comparisons as in a quarter of an hour, at the default.
    for _ in 0..<30 { #expect(try shop.settlectl(["wait"]).status == 0) }
    let after = try shop.settlectl(["metrics"]).output
    for name in ["settled_reloads_total", "settled_evaluations_total"] {
      let lines = [before, after].map { $0.split(separator: "\n").filter { $0.hasPrefix(name) } }
      #expect(!lines[0].isEmpty && lines[0] == lines[1], "\(lines)")
    }
    #expect(generations == 1)
  }
}
