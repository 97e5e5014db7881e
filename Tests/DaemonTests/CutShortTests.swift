import Glibc
import TestSupport
import Testing

/// Where a daemon is killed in the midst of its actions: what they told of stands no more, and is
/// told again.
@Suite struct CutShortTests {
  let shop: FaultShop

  init() throws {
    shop = try FaultShop()
    try shop.folder.write(
      """
      layers: [shop.yaml]
      targets:
        text: {file: out/text, content: "{{ text }}\\n", run: \(act("cat out/text"))}
        port: {follows: port, run: \(act("echo port"))}
        site:
          each: sites
          as: site
          file: out/site-{{ site.key }}
          content: "{{ site.value }}\\n"
          run: \(act("ls out"))
        last: {file: out/last, content: "{{ text }}\\n", run: \(slow)}
      """, to: "settled.yaml")
    try write("a", 1, sites: "{one: x}")
    try shop.start()
  }

  /// An action that notes what it saw.
  private func act(_ line: String) -> String {
    "[sh, -c, \"cd '\(shop.folder.path)'; \(line) | tr '\\\\n' ' ' >>acted; echo >>acted\"]"
  }

  /// An action that says that it runs, and waits to be killed with the daemon.
  private var slow: String {
    let (slow, mark) = (shop.path("slow"), shop.path("mark"))
    return "[sh, -c, \"[ -e '\(slow)' ] || exit 0; touch '\(mark)'; sleep 20\"]"
  }

  private func write(_ text: String, _ port: Int, sites: String) throws {
    try shop.folder.write("text: \(text)\nport: \(port)\nsites: \(sites)\n", to: "shop.new")
    rename(shop.path("shop.new"), shop.path("shop.yaml"))
  }

  private var acted: [String] {
    (shop.folder.read("acted") ?? "").split(separator: "\n").map(String.init)
  }

  /// Brings in other inputs, and kills the daemon when all actions but the last are done.
  private func cutShort() throws {
    try shop.folder.write("", to: "slow")
    try shop.folder.write("", to: "acted")
    try write("b", 2, sites: "{one: x, two: y}")
    try shop.daemon?.wait { FileStatus.exists(shop.path("mark")) }
    #expect(acted == ["b ", "port ", "bystander last site-one site-two text "])
    shop.stop(with: SIGKILL)
    unlink(shop.path("slow"))
    try shop.folder.write("", to: "acted")
  }

  private func expectOld(_ comment: Comment) {
    #expect(shop.out("text") == "a\n", comment)
    #expect(names(in: shop.path("out")) == ["bystander", "last", "site-one", "text"], comment)
    // In the order of the manifest, and the target of an entry that never came once as well.
    #expect(acted.sorted() == ["a ", "bystander last site-one text ", "port "], comment)
    #expect(!FileStatus.exists(shop.path("state/journal.json")), comment)
  }

  @Test func `inputs edited back have the actions done again`() throws {
    try cutShort()
    try write("a", 1, sites: "{one: x}")
    try shop.start()
    expectOld("\(shop.log)")
    // Once, and not at every start.
    try shop.folder.write("", to: "acted")
    shop.stop()
    try shop.start()
    #expect(acted == [])
  }

  @Test func `the last good generation has the actions done again where inputs are broken`() throws
  {
    try cutShort()
    try shop.folder.write("[\n", to: "shop.yaml")
    let daemon = try RunningProgram(shop.command())
    try daemon.wait { daemon.errors.contains("keeping generation 1") }
    expectOld("\(daemon.errors)")
    #expect(daemon.end(with: SIGTERM) == 0)
  }

  @Test func `a single apply has the actions done again`() throws {
    try cutShort()
    try write("a", 1, sites: "{one: x}")
    let once = try shop.once()
    #expect(once.status == 0)
    expectOld("\(once.errors)")
  }

  @Test func `inputs that stay have the actions done once`() throws {
    try cutShort()
    try shop.start()
    #expect(acted == ["b ", "port ", "bystander last site-one site-two text "])
    #expect(shop.out("last") == "b\n")
  }
}
