import Glibc
import TestSupport
import Testing

/// A secret goes into files that ask for it, and nowhere else: not into what either program prints,
/// answers or stores, for whatever is asked and whatever is wrong.
@Suite struct CanaryTests {
  let shop: CanaryShop

  init() throws { shop = try CanaryShop() }

  @Test func `no verb shows a secret`() throws {
    try shop.start()
    #expect(shop.text(of: "template") == "user shop\npass \(shop.canary)\n")
    #expect(shop.text(of: "json")?.contains(shop.canary) == true)
    #expect(shop.text(of: "coded")?.contains(shop.coded) == true)
    try shop.askEverything()
    try shop.expectNothingTold()
  }

  @Test func `no method of the control socket replies with a secret`() throws {
    try shop.start()
    try shop.callEverything()
    try shop.changeSecrets()
    // What is planned, then reloaded, watched and remembered is of the new secrets and the old.
    try shop.callEverything()
    try shop.breakManifest(with: CanaryShop.faults[0])
    try shop.callEverything()
    try shop.expectNothingTold()
  }

  @Test func `no difference that a plan or a reload makes shows a secret, old or new`() throws {
    try shop.start()
    try shop.changeSecrets()
    // What the daemon has not seen yet is planned by the tool, and then applied.
    try shop.askEverything()
    try shop.watching { try shop.ask(["reload"]) }
    #expect(shop.text(of: "template") == "user shop\npass \(shop.next)\n")
    try shop.askEverything()
    try shop.expectNothingTold()
  }

  @Test(arguments: CanaryShop.faults)
  func `no fault shows a secret`(fault: String) throws {
    try shop.start()
    try shop.breakManifest(with: fault)
    let reload = try shop.ask(["reload"])
    #expect(reload.status == 1, "\(reload)")
    #expect(reload.errors.contains("settled.yaml:") || reload.errors.contains("error:"))
    try shop.askForFaults()
    try shop.expectNothingTold()
  }

  @Test(arguments: CanaryShop.schemaFaults)
  func `no violation of a schema shows a secret`(rule: String) throws {
    try shop.start()
    try shop.writeSchema(rule)
    let reload = try shop.ask(["reload"])
    #expect(reload.status == 1, "\(reload)")
    for name in ["written", "token", "db.password"] {
      #expect(reload.errors.contains("'\(name)'"), "\(name): \(reload.errors)")
    }
    try shop.askForFaults()
    try shop.expectNothingTold()
  }

  @Test func `a start on the last good inputs reads secrets again, and shows none`() throws {
    try shop.start()
    try shop.stop()
    try shop.breakManifest(with: "derived: {x: db.password + 1}")
    try shop.changeSecrets()
    try shop.launch()
    try shop.daemon?.wait { shop.text(of: "template") == "user shop\npass \(shop.next)\n" }
    try shop.askEverything()
    try shop.expectNothingTold()
  }

  @Test func `a secret that is gone is told without its former value`() throws {
    try shop.start()
    shop.removeSecrets()
    #expect(try shop.ask(["reload"]).status == 1)
    try shop.askEverything()
    try shop.stop()
    try shop.launch()
    try shop.daemon?.wait { shop.daemon?.errors.contains("no generation is in force") == true }
    // The state holds no secret, so without its file there is nothing to start on.
    #expect(shop.daemon?.errors.contains("the last good generation: cannot read") == true)
    try shop.expectNothingTold()
  }

  @Test func `secrets are in files that only their owner can read`() throws {
    try shop.start()
    for name in ["template", "json", "coded"] {
      #expect(shop.mode(of: "root/etc/\(name)") == 0o600, "\(name)")
    }
    #expect(shop.mode(of: "root/etc/open") == 0o644)
    #expect(shop.mode(of: "state") == 0o700)
    for name in names(in: shop.folder.path("state")) {
      // The history is stored after READY: its unfinished file may be gone by now.
      guard let mode = shop.mode(of: "state/\(name)") else { continue }
      #expect(mode & 0o077 == 0, "\(name)")
    }
  }

  @Test func `other processes of the user cannot read the memory, where secrets are`() throws {
    // As another user than root, where these tests run as root: to root all belongs.
    let user =
      geteuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
    if !user.isEmpty {
      #expect(try run(["chown", "-R", "65534:65534", shop.folder.path]).status == 0)
    }
    try shop.launch(through: user)
    try shop.daemon?.wait { shop.daemon?.errors.contains("generation 1 is in force") == true }
    let process = try #require(shop.daemon).process
    var status = stat()
    #expect(stat("/proc/\(process)/mem", &status) == 0)
    // What /proc has of a process that may not be dumped belongs to root (proc(5)).
    #expect(status.st_uid == 0)
    #expect(try run(user + ["cat", "/proc/\(process)/environ"]).status != 0)
  }
}
