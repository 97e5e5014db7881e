import Glibc
import TestSupport
import Testing

/// Commands that hang, fail, or tell of a secret: what users of tools of this kind reported
/// (packaging/REPORTS.md), on the built daemon.
@Suite struct ActionReportTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func start(_ targets: String) throws -> RunningProgram {
    try folder.write("layers: [shop.yaml]\ntargets:\n" + targets, to: "settled.yaml")
    try folder.write("port: 80\n", to: "shop.yaml")
    return try folder.startSettled()
  }

  @Test func `a command that hangs is ended with its children, and holds nobody else up`() throws {
    let daemon = try start(
      """
        stuck:
          file: stuck
          content: "{{ port }}"
          run: [sh, -c, 'sleep 1000 & echo $! > "$1"; wait', sh, \(folder.path("child"))]
          timeout: 2s
          required: false
        fine: {file: fine, content: "{{ port }}", run: [touch, \(folder.path("done"))]}
      """)
    #expect((folder.read("stuck"), folder.read("fine")) == ("80", "80"))
    #expect(folder.read("done") == "")
    #expect(try folder.ask("status").output.contains("still running after 2.0 seconds, killed"))
    let child = try #require(folder.read("child").flatMap { Int32($0.dropLast()) })
    try daemon.wait { kill(child, 0) != 0 }
    try folder.write("port: 81\n", to: "shop.yaml")
    try daemon.wait { folder.read("fine") == "81" }
    #expect(daemon.end(with: SIGTERM) == 0)
  }

  @Test func `a command that fails twice is run again, without an edit, until it works`() throws {
    let script = "'echo >> \"$1\"; [ $(wc -l < \"$1\") -gt 2 ]', sh, \(folder.path("tries"))"
    let daemon = try start(
      "  served: {file: served, content: '{{ port }}', run: [sh, -c, \(script)], required: false}\n"
    )
    try daemon.wait { folder.read("tries") == "\n\n\n" }
    try daemon.wait { (try? folder.ask("status"))?.status == 0 }
    #expect(folder.read("served") == "80")
    #expect(daemon.end(with: SIGTERM) == 0)
  }

  @Test func `what was done for whom is in the log, once for many files in place`() throws {
    let script = "'cat \"$1/cert\" \"$1/key\" >> \"$1/seen\"', sh, \(folder.path)"
    let daemon = try start(
      """
        cert: {file: \(folder.path("cert")), content: "c{{ port }}", run: [sh, -c, \(script)]}
        key: {file: \(folder.path("key")), content: "k{{ port }}", run: [sh, -c, \(script)]}
      """)
    #expect(folder.read("seen") == "c80k80")
    #expect(daemon.errors.contains("run 'sh' for cert, key: done\n"))
    try folder.write("port: 81\n", to: "shop.yaml")
    #expect(try folder.ask("reload").status == 0)
    #expect(folder.read("seen") == "c80k80c81k81")
    #expect(daemon.end(with: SIGTERM) == 0)
  }
}
