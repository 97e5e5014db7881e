import Glibc
import TestSupport
import Testing

/// Who does not do its part, and must not hold the daemon up.
@Suite struct HeldUpTests {
  let shop: FaultShop

  init() throws { shop = try FaultShop() }

  private func reloads(to port: Int) throws {
    try shop.write(text: "b", port: port)
    #expect(try shop.settlectl(["reload"]).status == 0)
    #expect(shop.out("port") == "\(port)\n")
  }

  @Test func `a reader of the log that does not read holds nothing up, and is told what it missed`()
    throws
  {
    #expect(mkfifo(shop.path("log"), 0o600) == 0)
    // The pipe is open at both ends, and full.
    let fill = "exec 2<>'\(shop.path("log"))'; head -c 65536 /dev/zero >&2; exec \"$@\""
    let daemon = try RunningProgram(["sh", "-c", fill, "sh"] + shop.command())
    try daemon.wait { shop.out("port") == "1\n" }
    for port in 2..<6 { try reloads(to: port) }
    // Now it is read.
    let log = open(shop.path("log"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(log) }
    var said: [UInt8] = []
    var port = 10
    try daemon.wait {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = read(log, &bytes, bytes.count), count > 0 {
        said += bytes[..<count].filter { $0 != 0 }
      }
      port += 1
      try? reloads(to: port)
      return String(decoding: said, as: UTF8.self).contains(" messages were lost, as nobody read")
    }
    #expect(daemon.end(with: SIGTERM) == 0)
  }

  @Test func `a command that writes without end is killed, and all is put back`() throws {
    try shop.start()
    try shop.writeManifest(more: ", verify: [\"yes\"], timeout: 300ms")
    try shop.write(text: "b", port: 2)
    let refused = try shop.settlectl(["reload"])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("still running after 0.3 seconds, killed"))
    #expect((shop.out("text"), shop.out("port")) == ("a\n", "1\n"))
    try shop.writeManifest()
    try reloads(to: 3)
  }

  @Test func `a limit below the size of the manifest itself lets the daemon rest`() throws {
    try shop.writeManifest(daemon: "{limits: {file_size: 64}}")
    try shop.start()
    #expect(try shop.settlectl(["wait"]).status == 0)
    try reloads(to: 2)
    #expect(try shop.settlectl(["wait"]).status == 0)
  }

  @Test func `a command that runs out of memory is told with what it says, and all is put back`()
    throws
  {
    try shop.start()
    let greedy = "ulimit -v 100000; exec tail /dev/zero"
    try shop.writeManifest(more: ", check: [sh, -c, \"\(greedy)\"]")
    try shop.write(text: "b", port: 2)
    let refused = try shop.settlectl(["reload"])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("memory exhausted"))
    #expect((shop.out("text"), shop.out("port")) == ("a\n", "1\n"))
    try shop.writeManifest()
    try reloads(to: 3)
  }

  /// A control group with a limit of 32 MiB that can be made here; nil where none can.
  private static let group: (path: String, limit: String)? =
    [("/sys/fs/cgroup/", "memory.max"), ("/sys/fs/cgroup/memory/", "memory.limit_in_bytes")]
    .map { ($0.0 + "settled-test-\(getpid())", $0.1) }
    .first { path, limit in
      mkdir(path, 0o755) == 0
        && (access("\(path)/\(limit)", W_OK) == 0 || rmdir(path) != 0)
    }

  @Test(.enabled(if: group != nil, "needs to make a control group with a limit of memory"))
  func `a command that the kernel kills for its memory is told as such, and all is put back`()
    throws
  {
    let (path, limit) = try #require(Self.group)
    defer { rmdir(path) }
    try shop.start()
    let greedy = "echo 32M > \(path)/\(limit); echo $$ > \(path)/cgroup.procs; exec tail /dev/zero"
    try shop.writeManifest(more: ", verify: [sh, -c, \"\(greedy)\"]")
    try shop.write(text: "b", port: 2)
    let refused = try shop.settlectl(["reload"])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("killed by signal 9 (by a user, or by a memory limit)"))
    #expect((shop.out("text"), shop.out("port")) == ("a\n", "1\n"))
    try shop.writeManifest()
    try reloads(to: 3)
  }

  @Test func `SIGTERM while a writer is waited for ends it with 0, and nothing is half done`()
    throws
  {
    try shop.start()
    let settings = open(shop.path("shop.yaml"), O_WRONLY | O_APPEND | O_CLOEXEC)
    defer { close(settings) }
    write(settings, "# more\n", 7)
    let asking = try RunningProgram([
      builtProgram("settlectl"), "--socket", shop.path("socket"), "reload",
    ])
    #expect(shop.stop() == 0)
    _ = asking.end(with: 0)
    #expect((shop.out("text"), shop.out("port")) == ("a\n", "1\n"))
    #expect(names(in: shop.path("out")) == ["bystander", "port", "text"])
    #expect(!FileStatus.exists(shop.path("state/journal.json")))
  }

  @Test(.enabled(if: FaultShop.canMount, "needs to mount"))
  func `a state directory that becomes read-only keeps the generation, and says so`() throws {
    mkdir(shop.path("state"), 0o700)
    try shop.start(mounting: "size=1m,mode=0700", on: "state")
    // The daemon's lock is open for writing, so another mount of the same files is put over it.
    #expect(
      try shop.inside("mount --bind state state; mount -o remount,bind,ro state").status == 0)
    try shop.write(text: "b", port: 2)
    let refused = try shop.settlectl(["reload"])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("Read-only file system"))
    #expect((shop.out("text"), shop.out("port")) == ("a\n", "1\n"))
    #expect(try shop.inside("umount state").status == 0)
    try reloads(to: 3)
  }

  @Test func `a template that is rewritten faster than a pass is put into force whole`() throws {
    try shop.folder.write("0 whole\n", to: "page.tmpl")
    try shop.folder.write(
      """
      layers: [shop.yaml]
      targets:
        text: {file: out/text, template: page.tmpl, check: [sleep, "0.05"]}
        port: {file: out/port, content: "{{ port }}\\n"}
      """, to: "settled.yaml")
    try shop.start()
    // Each save is gone and comes again, and is half written twice, in less time than a pass takes.
    let save = """
      for n in $(seq 1 12); do
        mv page.tmpl page.tmpl~; sleep 0.003
        for part in $n ' wh' 'ole\\n'; do sleep 0.003; printf "$part"; done > page.tmpl
      done
      """
    let writer = try RunningProgram(["sh", "-c", "cd '\(shop.folder.path)'; \(save)"])
    var seen: Set<String> = []
    try shop.daemon?.wait {
      if let text = shop.out("text") { seen.insert(text) }
      return seen.contains("12 whole\n")
    }
    _ = writer.end(with: 0)
    #expect(seen.filter { !$0.hasSuffix(" whole\n") }.isEmpty, "\(seen)")
  }
}
