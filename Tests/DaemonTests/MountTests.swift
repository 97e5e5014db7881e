import Glibc
import TestSupport
import Testing

/// Files that are mount points, and file systems that refuse: hard errors with the way out, and
/// `write: in_place`.
@Suite(.enabled(if: FaultShop.canMount, "needs to mount")) struct MountTests {
  let shop: FaultShop

  init() throws {
    shop = try FaultShop()
    try shop.folder.write("a\n", to: "source")
    try shop.folder.write("", to: "out/text")
  }

  private func start(_ line: String) throws {
    try shop.start(preparing: "cd '\(shop.folder.path)' && \(line)")
  }

  private func writeManifest(_ keys: String = "", port: String = "") throws {
    try shop.folder.write(
      """
      layers: [shop.yaml]
      targets:
        text: {file: out/text, content: "{{ text }}\\n"\(keys)}
        port: {file: out/port, content: "{{ port }}\\n"\(port)}
      """, to: "settled.yaml")
  }

  @Test func `a bind-mounted file is not renamed over, and the way out is told`() throws {
    try start("mount --bind source out/text")
    try shop.write(text: "b", port: 2)
    let refused = try shop.settlectl(["reload"])
    #expect(refused.status == 1)
    #expect(
      refused.errors.contains("cannot replace '\(shop.path("out/text"))': Device or resource"))
    #expect(
      refused.errors.contains("hint: the file is a mount point; set 'write: in_place'"))
    #expect(shop.folder.read("source") == "a\n")
    #expect(shop.out("port") == "1\n")
    #expect(names(in: shop.path("out")) == ["bystander", "port", "text"])
  }

  @Test func `a bind-mounted file is written into, put back, watched, and not removed`() throws {
    try writeManifest(", write: in_place", port: ", verify: [sh, -c, '! grep -q 13 out/port']")
    try shop.folder.write("1\n", to: "out/port")
    try start("mount --bind source out/text")
    let inode = try inode("source")
    try shop.write(text: "longer than before", port: 2)
    #expect(try shop.settlectl(["reload"]).status == 0)
    #expect(shop.folder.read("source") == "longer than before\n")
    #expect(try shop.inside("cat out/text").output == "longer than before\n")
    #expect(try self.inode("source") == inode)
    // A failing verification puts it back.
    try writeManifest(", write: in_place, verify: [\"false\"]")
    try shop.write(text: "refused", port: 3)
    #expect(try shop.settlectl(["reload"]).status == 1)
    #expect((shop.folder.read("source"), shop.out("port")) == ("longer than before\n", "2\n"))
    // What is written into it by others is drift.
    try writeManifest(", write: in_place, drift: repair")
    try shop.write(text: "short", port: 4)
    #expect(try shop.settlectl(["reload"]).status == 0)
    try shop.inside("echo by hand > out/text")
    try shop.daemon?.wait { shop.folder.read("source") == "short\n" }
    #expect(try self.inode("source") == inode)
    #expect(names(in: shop.path("out")) == ["bystander", "port", "text"])
    // A mount point cannot be removed.
    try shop.folder.write(
      """
      layers: [shop.yaml]
      targets:
        port: {file: out/port, content: "{{ port }}\\n"}
      """, to: "settled.yaml")
    let removed = try shop.settlectl(["reload"])
    #expect(removed.status == 0)
    #expect(shop.log.contains("is wanted no more, and stays: it is a mount point"))
    #expect(shop.folder.read("source") == "short\n")
    // The history is stored after who asked has the answer.
    let kept = ["applied.json", "edited", "history.json", "last-good", "lock"]
    try shop.daemon?.wait { names(in: shop.path("state")) == kept }
  }

  @Test func `a read-only directory does not matter to a file in it that is written into`() throws {
    try writeManifest(", write: in_place")
    try shop.folder.write("1\n", to: "out/port")
    try start(
      "mount --bind out out && mount --bind source out/text && mount -o remount,bind,ro out")
    try shop.write(text: "b", port: 1)
    #expect(try shop.settlectl(["reload"]).status == 0)
    #expect(shop.folder.read("source") == "b\n")
    try shop.write(text: "c", port: 2)
    let refused = try shop.settlectl(["reload"])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("Read-only file system"))
    #expect(refused.errors.contains("see ProtectSystem= and ReadWritePaths="))
    #expect(shop.folder.read("source") == "b\n")
  }

  @Test func `a full disk is told before anything is overwritten, with the way out`() throws {
    try writeManifest(", write: in_place")
    try shop.start(mounting: "size=64k")
    try shop.inside("head -c 60000 /dev/zero > out/fill; true")
    try shop.write(text: String(repeating: "x", count: 20_000), port: 1)
    let full = try shop.settlectl(["reload"])
    #expect(full.status == 1)
    #expect(full.errors.contains("No space left on device"))
    #expect(full.errors.contains("hint: the file system is full; free some space"))
    #expect(try shop.inside("cat out/text").output == "a\n")
  }

  private func inode(_ name: String) throws -> UInt64 {
    var status = stat()
    try #require(stat(shop.path(name), &status) == 0)
    return UInt64(status.st_ino)
  }
}
