import Glibc
import SettledObserving
import SettledSettings
import SettledValues
import TestSupport
import Testing

@ObservingActor
struct LiveSettingsTests {
  private let folder: TemporaryDirectory
  private let shop = ShopModel()

  init() throws {
    folder = try TemporaryDirectory()
    try #require(mkdir(folder.path("shop.d"), 0o700) == 0)
    try folder.write("port: 1\n", to: "shop.yaml")
  }

  private var files: SettingsFiles {
    SettingsFiles(
      ["shop.yaml", .optional("local.yaml"), .dropIns("shop.d/*.yaml")], in: folder.path)
  }

  @Test func `layers are read lowest rank first`() throws {
    try folder.write("port: 2\n", to: "local.yaml")
    try folder.write("{port: 3, host: a}\n", to: "shop.d/10-a.yaml")
    try folder.write("port: 4\n", to: "shop.d/20-b.yaml")
    try folder.write("port: 5\n", to: "shop.d/30-c.yaml~")
    let settings = try files.load()
    #expect(settings.value(at: Path([.key("port")])) == 4)
    #expect(settings.value(at: Path([.key("host")])) == "a")
    #expect(settings.origin(at: Path([.key("port")]))?.overridden.count == 3)
  }

  @Test func `a file that is missing, and all faults of others, are told at once`() throws {
    try folder.write("a: [\n", to: "local.yaml")
    try folder.write("b: {\n", to: "shop.d/a.yaml")
    try #require(unlink(folder.path("shop.yaml")) == 0)
    let refusal = #expect(throws: Refusal.self) { try files.load() }
    let text = try #require(refusal?.text)
    #expect(text.contains("cannot read 'shop.yaml': No such file or directory"))
    #expect(text.contains("local.yaml:"))
    #expect(text.contains("shop.d/a.yaml:"))
  }

  @Test func `a secret is read from its file, followed, and not shown`() async throws {
    try folder.write("hunter22\n", to: "token")
    let files = SettingsFiles(["shop.yaml", .secret("token", at: "token")], in: folder.path)
    let live = try LiveSettings(files, in: shop, takesHangUp: false)
    #expect(shop.token == "hunter22")
    #expect(try files.load().isSecret(at: Path([.key("token")])))
    var reloads = live.reloads.makeAsyncIterator()
    try folder.write("h2", to: "token")
    let reload = try #require(await reloads.next())
    #expect(reload.summary.contains("'token' must be longer"))
    #expect(!reload.summary.contains("h2"))
    try folder.write("hunter33", to: "token")
    _ = await reloads.next()
    #expect(shop.token == "hunter33")
  }

  @Test func `a file that loses its content is refused, and one that says so is not`() async throws
  {
    let live = try LiveSettings(files, in: shop, takesHangUp: false)
    for text in ["", " \n", "# port: 1\n", "---\n"] {
      try folder.write(text, to: "shop.yaml")
      let reload = await live.reload()
      #expect(
        reload.summary == """
          settings refused, keeping the last: shop.yaml: error: the file had content, and has none any more
          """)
      #expect(shop.port == 1)
    }
    try folder.write("{}\n", to: "shop.yaml")
    #expect(await !live.reload().isRefused)
    #expect(shop.port == 8080)
    try folder.write("", to: "shop.yaml")
    #expect(await live.reload().isRefused)
  }

  @Test func `a secret that every user can read is told, in words of no program`() throws {
    try folder.write("hunter22", to: "token")
    let files = SettingsFiles([.secret("token", at: "token")], in: folder.path)
    #expect(try files.load().warnings.map(\.description) == [])
    try #require(chmod(folder.path, 0o755) == 0 && chmod(folder.path("token"), 0o644) == 0)
    #expect(
      try files.load().warnings.map(\.description) == [
        """
        warning: every user can read the secret 'token'
          hint: chmod o= \(folder.path("token"))
        """
      ])
    let credential = SettingsFiles([.credential("token", at: "token")], in: folder.path)
    let refusal = #expect(throws: Refusal.self) { try credential.load() }
    #expect(refusal?.text.contains("settled") == false)
  }

  @Test func `variables of the environment are settings`() throws {
    // Whatever the environment is: it is read as it was when it was first asked for.
    let name = try #require(environment("HOME"))
    let settings = try SettingsFiles([.environment("HO")], in: folder.path).load()
    #expect(settings.value(at: Path([.key("me")])) == .string(name))
    #expect(throws: Refusal.self) {
      try SettingsFiles([.secret("shop.yaml", at: "a b")], in: folder.path).load()
    }
    #expect(throws: Refusal.self) {
      try SettingsFiles([.secret("none", at: "token")], in: folder.path).load()
    }
  }

  @Test func `a changed file is taken over, and said`() async throws {
    let live = try LiveSettings(files, in: shop, takesHangUp: false)
    #expect(shop.port == 1)
    var reloads = live.reloads.makeAsyncIterator()
    try folder.write("port: 2\n", to: "shop.yaml")
    let reload = await reloads.next()
    #expect(reload?.cause == .watched)
    #expect(reload?.outcome == .applied([Path([.key("port")])]))
    #expect(shop.port == 2)
  }

  @Test func `drop-ins and optional files that come and go are followed`() async throws {
    let live = try LiveSettings(files, in: shop, takesHangUp: false)
    var reloads = live.reloads.makeAsyncIterator()
    try folder.write("port: 3\n", to: "shop.d/a.yaml")
    _ = await reloads.next()
    #expect(shop.port == 3)
    try folder.write("host: b\n", to: "local.yaml")
    _ = await reloads.next()
    #expect(shop.listen == "b:3")
    try #require(unlink(folder.path("shop.d/a.yaml")) == 0)
    _ = await reloads.next()
    #expect(shop.listen == "b:1")
  }

  @Test func `a fault changes nothing, is told with its place, and is over when it is mended`()
    async throws
  {
    let live = try LiveSettings(files, in: shop, takesHangUp: false)
    var reloads = live.reloads.makeAsyncIterator()
    try folder.write("{host: c, port: 0}\n", to: "shop.yaml")
    let reload = try #require(await reloads.next())
    #expect(
      reload.summary == """
        settings refused, keeping the last: shop.yaml:1:17: error: 'port' must be at least 1, not 0
        """)
    #expect(shop.listen == "127.0.0.1:1")
    try folder.write("{host: c, port: 9}\n", to: "shop.yaml")
    _ = await reloads.next()
    #expect(shop.listen == "c:9")
  }

  @Test func `a reload that is asked for answers at once`() async throws {
    let live = try LiveSettings(files, in: shop, takesHangUp: false)
    #expect(await live.reload().outcome == .unchanged)
    try folder.write("port: none\n", to: "shop.yaml")
    #expect(await live.reload().isRefused)
    try folder.write("port: 4\n", to: "shop.yaml")
    let reload = await live.reload()
    // The watcher may have been first.
    #expect([.applied([Path([.key("port")])]), .unchanged].contains(reload.outcome))
    #expect(shop.port == 4)
  }

  @Test func `SIGHUP reads all again`() async throws {
    let live = try LiveSettings(files, in: shop)
    var reloads = live.reloads.makeAsyncIterator()
    kill(getpid(), SIGHUP)
    let reload = await reloads.next()
    #expect(reload?.cause == .hangUp)
    #expect(reload?.outcome == .unchanged)
  }

  @Test func `who reads reloads keeps the files followed, until it is stopped`() async throws {
    var live: LiveSettings? = try LiveSettings(files, in: shop, takesHangUp: false)
    weak let known = live
    do {
      var reloads = try #require(live?.reloads).makeAsyncIterator()
      live = nil
      try folder.write("port: 2\n", to: "shop.yaml")
      #expect(await reloads.next()?.isRefused == false)
      known?.stop()
      #expect(await reloads.next() == nil)
    }
    #expect(known == nil)
  }

  @Test func `what is dropped leaves no model and no descriptor behind`() async {
    // In a process of its own, as other tests open descriptors meanwhile.
    await #expect(processExitsWith: .success) {
      // What the process keeps, such as that of SIGHUP, is there after the first.
      try await Self.followOnce()
      let descriptors = names(in: "/proc/self/fd")
      for _ in 0..<8 { try await Self.followOnce() }
      try await Self.wait { names(in: "/proc/self/fd") == descriptors }
    }
  }

  /// Follows files, lets go of all, and waits until the model is gone.
  private static func followOnce() async throws {
    let folder = try TemporaryDirectory()
    try folder.write("port: 1\n", to: "shop.yaml")
    weak var known: ShopModel?
    do {
      let shop = ShopModel()
      known = shop
      let live = try LiveSettings(SettingsFiles(["shop.yaml"], in: folder.path), in: shop)
      try folder.write("port: 2\n", to: "shop.yaml")
      #expect(await !live.reload().isRefused)
      #expect(shop.port == 2)
    }
    try await wait { known == nil }
  }

  @Test func `who asks for a reload after the end is told that it is over`() async throws {
    let live = try LiveSettings(files, in: shop, takesHangUp: false)
    live.stop()
    var reloads = live.reloads.makeAsyncIterator()
    #expect(await reloads.next() == nil)
    #expect(
      await live.reload().summary == """
        settings refused, keeping the last: error: files are not followed any more
        """)
  }

  /// Looks every 5 ms whether `condition` holds, for 20 s at most, and keeps nothing from the actor.
  private static func wait(until condition: () -> Bool) async throws {
    for _ in 0..<4000 {
      if condition() { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw SystemFault("waited in vain")
  }
}
