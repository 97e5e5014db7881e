import Glibc
import SettledValues
import TestSupport
import Testing

/// What a running daemon makes of files edited by hand, and what it remembers of its passes.
@Suite struct DriftAndHistoryTests {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try folder.write(
      """
      layers: [shop.yaml]
      targets:
        told: {file: told, content: "{{ port }}"}
        mended: {file: mended, content: "{{ port }}", drift: repair}
      """, to: "settled.yaml")
    try folder.write("port: 80\n", to: "shop.yaml")
  }

  @Test func `a file edited by hand is told, stays, and is put back when somebody asks`() throws {
    let daemon = try folder.startSettled()
    #expect(folder.read("told") == "80")
    try folder.write("by hand", to: "told")
    try daemon.wait {
      (try? folder.ask("status"))?.output.contains("drifted  edited by hand") == true
    }
    #expect(folder.read("told") == "by hand")
    #expect(try folder.ask("status").status == 1)
    #expect(try folder.ask("history", "1").output.hasSuffix("  drifted: told\n"))
    let outcome = try folder.ask("apply", "told")
    #expect((outcome.status, outcome.output) == (0, "generation 1 is in place again\n"))
    #expect(folder.read("told") == "80")
    #expect(try folder.ask("status").status == 0)
    let kept = names(in: folder.path("state/edited"))
    #expect(kept.map { folder.read("state/edited/" + $0) } == ["by hand"])
    #expect(try folder.ask("apply", "tol").status == 1)
    #expect(try folder.ask("status").status == 0)
    #expect(daemon.end(with: SIGTERM) == 0)
  }

  @Test func `a file edited while its generation is put into force is told`() throws {
    // The action comes after the swap, and before the file is watched.
    try folder.write(
      """
      layers: [shop.yaml]
      targets:
        told:
          file: told
          content: "{{ port }}"
          run: [sh, -c, 'printf edited > "$1"', sh, \(folder.path("told"))]
      """, to: "settled.yaml")
    let daemon = try folder.startSettled()
    #expect(try folder.ask("status").output.contains("drifted  edited by hand"))
    #expect(folder.read("told") == "edited")
    #expect(daemon.errors.contains("edited by hand"))
    #expect(daemon.end(with: SIGTERM) == 0)
  }

  @Test func `a file to be repaired comes back, also when it is removed`() throws {
    let daemon = try folder.startSettled()
    #expect(folder.read("mended") == "80")
    try folder.write("by hand", to: "mended")
    try daemon.wait { folder.read("mended") == "80" }
    unlink(folder.path("mended"))
    try daemon.wait { folder.read("mended") == "80" }
    try daemon.wait { daemon.errors.contains("because the file was removed by hand") }
    #expect(daemon.end(with: SIGTERM) == 0)
  }

  @Test func `two tools that disagree about a file do not write it for ever`() throws {
    try folder.write(
      """
      layers: [shop.yaml]
      targets:
        mended: {file: mended, content: "{{ port }}", drift: repair, run: [sh, -c, \(counting)]}
      """, to: "settled.yaml")
    let clock = ContinuousClock()
    let begin = clock.now
    let daemon = try folder.startSettled()
    let tool = try RunningProgram([
      "sh", "-c",
      "cd \"$1\"; while :; do grep -qx theirs mended || echo theirs > mended; "
        + "sleep 0.02; done", "tool", folder.path,
    ])
    // At once, after one second, and after two more.
    try daemon.wait { runs >= 1 + 3 }
    try daemon.wait { folder.read("mended") == "theirs\n" }
    try daemon.wait { (try? folder.ask("status"))?.output.contains("again and again") == true }
    let told = daemon.errors.split(separator: "\n").filter { $0.contains("ever later") }.count
    let repairs = runs - 1
    // A machine so busy that the tool lets the file stay starts all anew, each time with two repairs
    // for what is told, and never more than one in a second.
    #expect(told >= 1 && told * 2 <= repairs + 1, "told \(told) times of \(repairs) repairs")
    let seconds = (clock.now - begin).components.seconds
    #expect(repairs <= 2 + Int(seconds), "\(repairs) repairs in \(seconds) s")
    _ = tool.end(with: SIGKILL)
    #expect(try folder.ask("apply", "mended").status == 0)
    #expect(folder.read("mended") == "80")
    #expect(try folder.ask("status").status == 0)
    #expect(daemon.end(with: SIGTERM) == 0)
  }

  /// A line of the shell that counts how often it is run.
  private var counting: String { "'echo >> \"\(folder.path("runs"))\"'" }

  private var runs: Int { readFile(folder.path("runs"))?.count ?? 0 }

  @Test func `the history survives a restart, and a damaged one is set aside`() throws {
    var daemon: RunningProgram? = try folder.startSettled()
    try folder.write("port: 81\n", to: "shop.yaml")
    try daemon?.wait { folder.read("told") == "81" }
    try folder.write("port: [\n", to: "shop.yaml")
    #expect(try folder.ask("reload").status == 1)
    try daemon?.wait { folder.read("state/history.json")?.contains("\"refused\"") == true }
    try folder.write("port: 81\n", to: "shop.yaml")
    daemon = nil
    daemon = try folder.startSettled()
    let lines = try folder.ask("history").output.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.contains { $0.contains("edit") && $0.contains("port -> told, mended") })
    #expect(lines.contains { $0.contains("reload  refused") && $0.contains("shop.yaml:") })
    #expect(try folder.ask("history", "1").output.split(separator: "\n").count == 1)
    #expect(try folder.ask("history", "0").status == 2)
    try folder.write("{", to: "state/history.json")
    daemon = nil
    daemon = try folder.startSettled()
    #expect(daemon?.errors.contains("the history cannot be read") == true)
    #expect(folder.read("state/history.json.damaged") == "{")
    #expect(daemon?.end(with: SIGTERM) == 0)
  }

  @Test func `the daemon's plan is the one made without it`() throws {
    let daemon = try folder.startSettled()
    #expect(folder.read("told") == "80")
    #expect(try folder.ask("plan").output == "nothing to do\n")
    #expect(try folder.ask("plan", "--exit-code").status == 0)
    #expect(try folder.ask("plan", folder.path("settled.yaml")).output == "nothing to do\n")
    #expect(daemon.end(with: SIGTERM) == 0)
  }
}
