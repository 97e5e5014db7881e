import Glibc
import SettledInputs
import TestSupport
import Testing

/// What the daemon keeps is damaged, one byte at a time: it is told, and nothing follows from it.
///
/// With `SETTLED_EACH_BYTE` set every byte is tried, else some of them.
@Suite struct DamageTests {
  let shop: FaultShop

  init() throws { shop = try FaultShop() }

  /// Calls `body` with one damaged copy of a file of the state after the other; the state is what it
  /// was before each.
  private func damage(
    _ name: String, some count: Int, _ body: (_ position: Int) throws -> Void
  ) throws {
    let path = shop.path("state/" + name)
    let whole = try #require(readFile(path))
    let step = environment("SETTLED_EACH_BYTE") != nil ? 1 : max(1, whole.count / count)
    try runShell("rm -rf kept; cp -a state kept", in: shop.folder.path)
    for position in stride(from: 0, to: whole.count, by: step) {
      var damaged = whole
      damaged[position] ^= 1 << UInt8.random(in: 0..<8)
      try runShell("rm -rf state; cp -a kept state", in: shop.folder.path)
      try writeFile(damaged, to: path)
      try body(position)
    }
  }

  @Test func `of a damaged last good generation all is put into force, or nothing`() throws {
    try shop.write(text: "good", port: 7)
    #expect(try shop.once().status == 0)
    try shop.folder.write("text: [\n", to: "shop.yaml")
    try damage("last-good", some: 40) { position in
      for name in ["text", "port"] { unlink(shop.path("out/" + name)) }
      let outcome = try shop.once()
      #expect(outcome.status == 1)
      let found = (shop.out("text"), shop.out("port"))
      #expect(found == (nil, nil) || found == ("good\n", "7\n"), "byte \(position): \(found)")
      #expect(shop.out("bystander") == "mine\n", "byte \(position)")
    }
    for name in ["text", "port"] { unlink(shop.path("out/" + name)) }
    try runShell("rm -rf state; cp -a kept state", in: shop.folder.path)
    #expect(try shop.once().status == 1)
    #expect((shop.out("text"), shop.out("port")) == ("good\n", "7\n"), "where it is whole")
  }

  @Test func `a damaged history is set aside and told, and the daemon starts`() throws {
    for port in 2..<5 {
      try shop.write(text: "b", port: port)
      #expect(try shop.once().status == 0)
    }
    try damage("history.json", some: 12) { position in
      try shop.start()
      // A damaged name of the sum itself leaves all the rest whole.
      let isWhole = !shop.log.contains("history.json.damaged'")
      let history = try shop.settlectl(["history", "--json"])
      #expect(history.status == 0)
      #expect(history.output.contains("\"generation\": 3") == isWhole, "byte \(position)")
      #expect(FileStatus.exists(shop.path("state/history.json.damaged")) != isWhole)
      #expect(shop.stop() == 0)
    }
  }

  @Test func `a command that is kept for a removed target is not run once it is damaged`() throws {
    try shop.writeManifest(more: ", run: [touch, \"\(shop.path("out/touched"))\"]")
    #expect(try shop.once().status == 0)
    try shop.folder.write(
      "layers: [shop.yaml]\ntargets: {port: {file: out/port, content: \"{{ port }}\\n\"}}\n",
      to: "settled.yaml")
    try damage("applied.json", some: 60) { position in
      unlink(shop.path("out/touched"))
      try shop.folder.write("a\n", to: "out/text")
      let outcome = try shop.once()
      #expect(outcome.status == 0, "byte \(position): \(outcome)")
      let isWhole = !outcome.errors.contains("applied.json.damaged'")
      // Either all that was kept counts, the file's removal and the command, or nothing.
      #expect((shop.out("text") == nil) == isWhole, "byte \(position)")
      let made = names(in: shop.path("out"))
      #expect(made == ["bystander", "port"] + (isWhole ? ["touched"] : ["text"]))
    }
  }

  @Test func `a damaged journal touches nothing, and its file is named`() throws {
    let saved = shop.path("saved")
    try shop.writeManifest(
      more: ", check: [cp, \"\(shop.path("state/journal.json"))\", \"\(saved)\"]")
    #expect(try shop.once().status == 0)
    try shop.write(text: "b", port: 2)
    #expect(try shop.once().status == 0)
    try runShell("cp saved state/journal.json", in: shop.folder.path)
    try shop.writeManifest()
    try damage("journal.json", some: 60) { position in
      let outcome = try shop.once()
      let isNamed = outcome.errors.contains("journal.json'")
      #expect(isNamed ? outcome.status == 1 : outcome.status == 0, "byte \(position): \(outcome)")
      #expect((shop.out("text"), shop.out("port")) == ("b\n", "2\n"), "byte \(position)")
      #expect(names(in: shop.path("out")) == ["bystander", "port", "text"], "byte \(position)")
      #expect(FileStatus.exists(shop.path("state/journal.json")) == isNamed, "byte \(position)")
    }
  }

  @Test func `a process that got the number of the one before is not taken for a daemon`() throws {
    #expect(try shop.once().status == 0)
    try shop.folder.write("\(getpid())", to: "state/lock")
    try shop.start()
    let second = try run(shop.command())
    #expect(second.status == 1)
    let holder = try #require(shop.daemon).process
    #expect(second.errors.contains("is held by process \(holder)\n"))
  }

  @Test func `a daemon that has not written its number yet is told without one`() throws {
    #expect(try shop.once().status == 0)
    try shop.folder.write("", to: "state/lock")
    let holder = try Descriptor(shop.path("state/lock"), O_RDWR)
    #expect(flock(holder.number, LOCK_EX) == 0)
    let second = try run(shop.command())
    #expect(second.status == 1)
    #expect(second.errors.contains("state' is held\n"))
  }
}
