import Glibc
import TestSupport
import Testing

/// The kernel's limits for inotify(7), reached by the built programs.
@Suite(.enabled(if: FaultShop.canLimitWatching, "needs user namespaces"))
struct WatchLimitTests {
  let shop: FaultShop

  init() throws { shop = try FaultShop() }

  @Test(arguments: ["instances", "watches"])
  func `without room for it the daemon is degraded, names the sysctl, polls, and recovers`(
    what: String
  ) throws {
    try shop.start(through: FaultShop.limited(what, to: 0))
    try shop.daemon?.wait { shop.log.contains("inputs are polled, not watched") }
    let status = try shop.settlectl(["status"])
    #expect(status.status == 1)
    #expect(status.output.contains("degraded: inputs are polled, not watched"))
    #expect(status.output.contains("fs.inotify.max_user_\(what)"))
    try shop.write(text: "b", port: 2)
    try shop.daemon?.wait { shop.out("port") == "2\n" }

    let process = "\(try #require(shop.daemon).process)"
    let raise = "echo 1000 > /proc/sys/user/max_inotify_\(what)"
    let raised = try run(
      ["nsenter", "-t", process, "-U", "--preserve-credentials", "sh", "-c", raise])
    #expect(raised.status == 0, "\(raised)")
    try shop.daemon?.wait { shop.log.contains("inputs are watched again") }
    #expect(try shop.settlectl(["wait"]).status == 0)
    #expect(try shop.settlectl(["status"]).status == 0)
    try shop.write(text: "c", port: 3)
    try shop.daemon?.wait { shop.out("port") == "3\n" }
  }

  @Test func `when the kernel's queue overflows nothing is lost`() throws {
    try shop.start()
    let process = try #require(shop.daemon).process
    let limit = readFile("/proc/sys/fs/inotify/max_queued_events")
      .flatMap { Int(String(decoding: $0.dropLast(), as: UTF8.self)) }
    kill(process, SIGSTOP)
    for _ in 0...(try #require(limit) / 2) {
      for name in ["x", "y"] {
        close(creat(shop.path(name), 0o644))
        unlink(shop.path(name))
      }
    }
    try shop.write(text: "b", port: 2)
    kill(process, SIGCONT)
    try shop.daemon?.wait { shop.out("port") == "2\n" }
    let metrics = try shop.settlectl(["metrics"]).output
    #expect(metrics.contains("settled_inotify_overflows_total 1\n"), "\(metrics)")
    #expect(metrics.contains("settled_missed_by_inotify_total 0\n"))
  }

  /// A file of the lower layer of an overlay has no event in the overlay, as a file that another
  /// machine writes has none on a network file system.
  @Test(.enabled(if: FaultShop.canOverlay, "needs to mount an overlay"))
  func `what the kernel does not tell is found as often as 'poll' says, and counted`() throws {
    for name in ["lower", "empty", "shop.d"] { mkdir(shop.path(name), 0o755) }
    try shop.folder.write("port: 7\n", to: "lower/50.yaml")
    try shop.writeManifest(daemon: "{poll: 100ms}")
    let layers = "lowerdir=\(shop.path("lower")):\(shop.path("empty"))"
    try shop.start(mounting: layers, as: "overlay", on: "shop.d")
    #expect(shop.out("port") == "7\n")
    // In one step, as what is found between two of them is another change; and in place, as the
    // overlay stays with the file that it has opened.
    let descriptor = open(shop.path("lower/50.yaml"), O_WRONLY | O_CLOEXEC)
    #expect(pwrite(descriptor, "8", 1, 6) == 1 && close(descriptor) == 0)
    try shop.daemon?.wait { shop.out("port") == "8\n" }
    let metrics = try shop.settlectl(["metrics"]).output
    #expect(metrics.contains("settled_missed_by_inotify_total 1\n"), "\(metrics)")
    #expect(try shop.settlectl(["status"]).output.contains("found by comparing only"))
  }
}
