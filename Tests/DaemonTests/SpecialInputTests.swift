import Glibc
import TestSupport
import Testing

/// What is no plain file of the right owner, in the place of an input or a target.
///
/// packaging/THREATS.md names these tests.
@Suite struct SpecialInputTests {
  let shop: FaultShop

  init() throws {
    shop = try FaultShop()
    mkdir(shop.path("shop.d"), 0o755)
  }

  private static let special = [
    ("mkfifo shop.d/50.yaml", "cannot read the special file 'shop.d/50.yaml'"),
    ("ln -s /dev/zero shop.d/50.yaml", "cannot read the special file 'shop.d/50.yaml'"),
    ("ln -s ../socket shop.d/50.yaml", "cannot read the special file 'shop.d/50.yaml'"),
    ("mkdir shop.d/50.yaml", "cannot read 'shop.d/50.yaml': Is a directory"),
    ("ln -s 50.yaml shop.d/50.yaml", "cannot read 'shop.d/50.yaml': Too many levels"),
    ("ln -s nothing shop.d/50.yaml", "cannot read 'shop.d/50.yaml': No such file"),
    ("truncate -s 1T shop.d/50.yaml", "the limit 'file_size'"),
    ("ln -s /proc/self/mem shop.d/50.yaml", "cannot read 'shop.d/50.yaml': Input/output error"),
    ("ln -s /proc/sys/kernel/ostype shop.d/50.yaml", "shop.d/50.yaml:1:1: error: "),
  ]

  @Test(arguments: special)
  func `what is no settings file is told, and holds nothing up`(line: String, said: String) throws {
    try shop.start()
    try runShell(line, in: shop.folder.path)
    let refused = try shop.settlectl(["reload"])
    #expect(refused.status == 1)
    #expect(refused.errors.contains(said), "\(refused)")
    #expect((shop.out("text"), shop.out("port")) == ("a\n", "1\n"))
    try runShell("rm -r shop.d/50.yaml", in: shop.folder.path)
    try shop.write(text: "b", port: 2)
    #expect(try shop.settlectl(["reload"]).status == 0)
    #expect(shop.out("port") == "2\n")
  }

  @Test func `a pipe in the place of an input is not opened`() throws {
    try shop.start()
    #expect(mkfifo(shop.path("shop.d/50.yaml"), 0o600) == 0)
    let pipe = shop.path("shop.d/50.yaml")
    let writer = try RunningProgram(["sh", "-c", "echo kept > '\(pipe)'"])
    try writer.wait { Self.isAsleep(writer.process) }
    #expect(try shop.settlectl(["reload"]).status == 1)
    // Who opens it first gets what was written.
    let descriptor = open(pipe, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 16)
    #expect(read(descriptor, &bytes, 16) == 5)
    #expect(writer.end(with: 0) == 0)
  }

  private static func isAsleep(_ process: Int32) -> Bool {
    guard let status = readFile("/proc/\(process)/stat") else { return false }
    return String(decoding: status, as: UTF8.self).split(separator: " ").dropFirst(2).first == "S"
  }

  @Test func `what is no plain file is not replaced by a target`() throws {
    try shop.start()
    try runShell("rm out/text; mkfifo out/text", in: shop.folder.path)
    try shop.write(text: "b", port: 2)
    let refused = try shop.settlectl(["reload"])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("cannot replace the special file"))
    #expect(shop.out("port") == "1\n")
  }

  private static let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

  /// What another user puts into a directory of inputs, and whether it is read.
  private static let links = [
    ("ln -s ../secret shop.d/50.yaml", false), ("ln -s ../link shop.d/50.yaml", false),
    ("ln -s .. shop.d/up; ln -s up/secret shop.d/50.yaml", false),
    ("echo 'text: own' > shop.d/own; ln -s own shop.d/50.yaml", true),
  ]

  @Test(
    .enabled(if: geteuid() == 0, "needs root to become another user"), arguments: links)
  func `another user's link is followed to that user's own files only`(
    line: String, isRead: Bool
  ) throws {
    chmod(shop.folder.path, 0o755)
    try runShell(
      "chown 65534 shop.d; echo canary > secret; chmod 600 secret; ln -s secret link",
      in: shop.folder.path)
    try shop.start()
    #expect(
      try run(Self.nobody + ["sh", "-c", "cd '\(shop.folder.path)'; \(line)"]).status == 0)
    let outcome = try shop.settlectl(["reload"])
    #expect(outcome.status == (isRead ? 0 : 1))
    #expect(shop.out("text") == (isRead ? "own\n" : "a\n"))
    guard !isRead else { return }
    #expect(outcome.errors.contains("cannot follow the link of another user at 'shop.d/50.yaml'"))
    #expect(outcome.errors.contains("'chown -h'"))
    try shop.daemon?.wait { shop.log.contains("link of another user") }
    #expect(!shop.log.contains("canary") && !outcome.errors.contains("canary"))
  }

  @Test(
    .enabled(if: geteuid() == 0, "needs root to become another user"),
    arguments: [
      ("chown 65534 state", "belongs to user 65534"), ("chmod 1777 state", "other users can write"),
      ("chmod 0770 state", "other users can write"),
      ("mv state real; ln -s real state; chown -h 65534 state", "belongs to user 65534"),
    ])
  func `a state directory that others can write into is not used, and nothing in it followed`(
    line: String, said: String
  ) throws {
    try runShell(
      "mkdir state; echo kept > victim; ln victim state/lock; \(line)", in: shop.folder.path)
    let outcome = try shop.once()
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(said), "\(outcome)")
    #expect(outcome.errors.contains("chmod 0700"))
    #expect(shop.folder.read("victim") == "kept\n")
    #expect(names(in: shop.path("out")) == ["bystander"])
  }

  @Test func `nothing that steers a program's start is handed on to commands`() throws {
    try shop.writeManifest(more: ", run: [sh, -c, \"env > '\(shop.path("environment"))'\"]")
    let outcome = try run(
      shop.command() + ["--once"],
      environment: [
        "LD_LIBRARY_PATH": "/nowhere", "LD_BIND_NOW": "1", "LC_ALL": "tr_TR.UTF-8", "LANG": "x",
        "TMPDIR": shop.folder.path, "IFS": "x", "BASH_ENV": "/nowhere", "PYTHONPATH": "/nowhere",
        "GLIBC_TUNABLES": "glibc.malloc.check=3",
      ])
    #expect(outcome.status == 0, "\(outcome)")
    let found = shop.folder.read("environment")?.split(separator: "\n").compactMap {
      $0.split(separator: "=").first.map(String.init)
    }
    #expect(found?.sorted() == ["PATH", "PWD", "SETTLED_FILE", "SETTLED_TARGET"])
  }
}
